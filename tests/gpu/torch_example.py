"""A small PyTorch training loop. With --profiler, under PyTorch's own profiler."""

import sys

import torch


def train(steps):
    torch.manual_seed(1)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(16 * 16 * 16, 10),
    ).cuda()
    optimiser = torch.optim.SGD(model.parameters(), lr=0.01)
    loss_function = torch.nn.CrossEntropyLoss()
    host_images = torch.randn(32, 3, 32, 32).pin_memory()
    host_labels = torch.randint(0, 10, (32,)).pin_memory()
    first = last = None
    for _ in range(steps):
        images = host_images.cuda(non_blocking=True)
        labels = host_labels.cuda(non_blocking=True)
        optimiser.zero_grad()
        loss = loss_function(model(images), labels)
        loss.backward()
        optimiser.step()
        last = loss.item()
        first = last if first is None else first
    return last < first


def main():
    if "--profiler" in sys.argv:
        activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
        with torch.profiler.profile(activities=activities):
            learned = train(10)
    else:
        learned = train(20)
    print("the loss fell" if learned else "the loss did not fall")


main()
