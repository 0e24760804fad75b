/* The page as it is, inside the program: no string literal of a megabyte for a compiler. */
    .section .rodata
    .global overcast_page_template
    .global overcast_page_template_end
overcast_page_template:
    .incbin OVERCAST_PAGE_TEMPLATE
overcast_page_template_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
