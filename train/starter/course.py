"""One course of training for every starter model: time budget, schedule, checkpoints, log, loss plot."""

import argparse
import json
import math
import os
import time

import numpy as np
import torch


def arguments(minutes, batch, rate, **more):
    """The options every script takes; `--toy` runs under a minute."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, help="what export-data.ts wrote")
    parser.add_argument("--out", required=True, help="checkpoints and logs")
    parser.add_argument("--minutes", type=float, default=minutes, help="of processor time")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--toy", action="store_true")
    for name, value in more.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    args = parser.parse_args()
    if args.toy:
        args.minutes = min(args.minutes, 0.5)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    os.makedirs(args.out, exist_ok=True)
    return args


class Course:
    """Runs `step(progress) -> loss` until the processor time is spent; resumes from its checkpoint.

    `measure() -> dict` runs at each checkpoint (every 4 minutes) and at the end, on the development
    style, and steers nothing.
    """

    def __init__(self, name, model, args, random, warm=200, decay=0.02, average=None):
        self.name, self.model, self.args, self.random, self.warm = name, model, args, random, warm
        wanted = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(wanted, args.rate, weight_decay=decay, betas=(0.9, 0.98))
        self.state = {"step": 0, "cpu": 0.0, "losses": [], "figures": []}
        self.path = os.path.join(args.out, f"{name}.pt")
        # A running average of the weights is what is measured and exported, where asked.
        self.keep = average
        self.average = {k: v.clone() for k, v in model.state_dict().items()} if average else None
        if os.path.exists(self.path):
            saved = torch.load(self.path, weights_only=False)
            model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.state, self.average = saved["state"], saved["average"]
            random.bit_generator.state = saved["random"]

    def save(self):
        torch.save({"model": self.model.state_dict(), "average": self.average, "state": self.state,
                    "optimizer": self.optimizer.state_dict(),
                    "random": self.random.bit_generator.state}, self.path + ".part")
        os.replace(self.path + ".part", self.path)
        log = os.path.join(self.args.out, f"{self.name}-log.json")
        json.dump(self.state, open(log, "w"))
        plot(self.state["losses"], os.path.join(self.args.out, f"{self.name}-loss.svg"))

    def swap(self):
        """Exchanges weights and their average."""
        if self.average:
            mine = {k: v.clone() for k, v in self.model.state_dict().items()}
            self.model.load_state_dict(self.average)
            self.average = mine

    def measured(self, measure):
        self.model.eval()
        self.swap()
        with torch.no_grad():
            found = measure()
        self.swap()
        self.model.train()
        self.state["figures"].append({"step": self.state["step"], "cpu": self.state["cpu"], **found})
        print(f"{self.name} development", found, flush=True)

    def run(self, step, measure):
        budget = self.args.minutes * 60
        before, started, saved = self.state["cpu"], time.process_time(), time.time()
        total = count = 0
        self.model.train()
        while self.state["cpu"] < budget:
            progress = min(1, self.state["cpu"] / budget)
            warm = min(1, (self.state["step"] + 1) / self.warm)
            rate = self.args.rate * warm * max(0.5 * (1 + math.cos(math.pi * progress)), 0.01)
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            loss = step(progress)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            if self.average:
                keep = min(self.keep, (1 + self.state["step"]) / (10 + self.state["step"]))
                for k, v in self.model.state_dict().items():
                    if v.is_floating_point():
                        self.average[k].lerp_(v, 1 - keep)
                    else:
                        self.average[k].copy_(v)
            total, count = total + loss.item(), count + 1
            self.state["step"] += 1
            self.state["cpu"] = before + time.process_time() - started
            if count == 50:
                self.state["losses"].append([self.state["step"], total / count])
                print(f"{self.name} step {self.state['step']} cpu {self.state['cpu']:.0f}s "
                      f"loss {total / count:.3f}", flush=True)
                total = count = 0
            if time.time() - saved > 240:
                self.measured(measure)
                self.save()
                saved = time.time()
        if count:
            self.state["losses"].append([self.state["step"], total / count])
        self.measured(measure)
        self.save()


def plot(losses, path):
    """The loss by step as a small SVG."""
    if len(losses) < 2:
        return
    steps, values = np.array(losses, float).T
    x = 40 + 540 * (steps - steps[0]) / max(1, steps[-1] - steps[0])
    y = 180 - 160 * (values - values.min()) / max(1e-9, values.max() - values.min())
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    open(path, "w").write(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 210" font-family="sans-serif" '
        f'font-size="11"><polyline fill="none" stroke="#2563eb" points="{points}"/>'
        f'<text x="40" y="200">step {int(steps[0])}</text><text x="540" y="200">{int(steps[-1])}</text>'
        f'<text x="4" y="24">{values.max():.2f}</text><text x="4" y="184">{values.min():.2f}</text></svg>'
    )
