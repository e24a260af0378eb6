"""Trains the starter encoder (SELECT, CLASSIFY): `python train/starter/encoder.py --data FOLDER --out FOLDER`.

Resumes from its checkpoint. `--toy` runs a minute.
"""

import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import text
from data import SceneCrops, World, boxes_of, corpus, crop_box, crops, halved, phrase, restyled, with_article
from model import Encoder, count

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--minutes", type=float, default=60, help="of processor time")
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--batch", type=int, default=96)
parser.add_argument("--names", type=int, default=96, help="names a step")
parser.add_argument("--rate", type=float, default=2e-3)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--polish", type=float, default=0, help="minutes of a second course, with pictures restyled")
parser.add_argument("--toy", action="store_true")
args = parser.parse_args()
if args.toy:
    args.minutes = min(args.minutes, 0.8)

torch.set_num_threads(args.threads)
torch.manual_seed(args.seed)
random = np.random.default_rng(args.seed)
os.makedirs(args.out, exist_ok=True)
world = World(args.data)
vocabulary_path = os.path.join(args.out, "subwords.json")
if not os.path.exists(vocabulary_path):
    text.Subwords(text.train_pairs(corpus(world), 2000)).save(vocabulary_path)
subwords = text.load(vocabulary_path)
model = Encoder(subwords.size, len(world.concepts))
sprites, listed = world.sprites("train-sprites")
sprites = halved(sprites)
scene_crops = SceneCrops(world, world.index)
labels = np.array([world.index[s["concept"]] for s in listed])
by_concept = [np.flatnonzero(labels == i) for i in range(len(world.concepts))]
members = torch.zeros(len(world.classes), len(world.concepts))
for i, one in enumerate(world.classes):
    for member in one["members"]:
        members[i, world.index[member]] = 1
optimizer = torch.optim.AdamW(model.parameters(), args.rate, weight_decay=0.05, betas=(0.9, 0.98))
state = {"step": 0, "cpu": 0.0, "losses": [], "figures": []}
checkpoint = os.path.join(args.out, "encoder.pt")
if os.path.exists(checkpoint):
    saved = torch.load(checkpoint, weights_only=False)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    state = saved["state"]
    random.bit_generator.state = saved["random"]
seen_right, early_right = [], []
budget = (args.polish or args.minutes) * 60
print(f"{count(model)/1e6:.2f} M parameters, {subwords.size} subwords, {len(sprites)} drawings", flush=True)


def texts(names):
    ids = torch.tensor([subwords.encode(n) for n in names])
    return ids[:, : int((ids != 0).sum(1).max())]


def batch():
    """Half painted here, on grounds of every kind; half cut from scenes, where things overlap and are tinted."""
    n = args.batch // 2
    picked = random.integers(len(world.concepts), size=n)
    rows = [by_concept[i][random.integers(len(by_concept[i]))] for i in picked]
    other = random.integers(len(sprites), size=n)
    cut, cut_target = scene_crops.draw(args.batch - n, random)
    pixels = torch.cat([crops(sprites[rows], sprites[other], 64, random), cut])
    return pixels, torch.cat([torch.from_numpy(picked), cut_target])


def progress_now():
    """0..1 of the course; the second course begins where the blocks are trained."""
    return 0.5 + 0.5 * (state["cpu"] - mark) / budget if args.polish else state["cpu"] / budget


def step():
    pixels, target = batch()
    if args.polish:
        pixels = restyled(pixels, random)
    features = model.image.stem[:5](pixels * 2 - 1)
    early = model.early(features)
    early_right.append((early.argmax(1) == target).float().mean().item())
    loss = F.cross_entropy(early, target, label_smoothing=0.05)
    progress = progress_now()
    if progress < 0.35:
        return finished(loss)
    if not state.get("tabled"):
        table_from_head()
    image = model.image.through(model.image.enter(features), 28 if progress < 0.8 else 64)
    table = F.normalize(model.names.detach(), dim=-1)
    scale = model.scale.exp().clamp(max=40)
    loss = (0.5 if progress < 0.7 else 0.2) * loss
    loss = loss + F.cross_entropy(scale * image @ table.T, target, label_smoothing=0.02)
    # Texts meet the names' vectors: some names a step, and some classes with all their members.
    rows = torch.from_numpy(random.permutation(len(world.concepts))[: args.names])
    words = model.text(texts([phrase(world.concepts[i], random) for i in rows]))
    loss = loss + 0.5 * F.cross_entropy(scale.detach() * words @ table.T, rows)
    loss = loss + 2 * (1 - (words * table[rows]).sum(1).mean())
    chosen = random.choice(len(world.classes), 12, replace=False)
    kinds = texts([world.classes[i]["label" if random.integers(2) else "plural"] for i in chosen])
    kind_logits = scale.detach() * (model.text(kinds) @ table.T - 0.35)
    loss = loss + 0.3 * F.binary_cross_entropy_with_logits(kind_logits, members[chosen])
    seen_right.append(((image @ table.T).argmax(1) == target).float().mean().item())
    return finished(loss)


@torch.no_grad()
def table_from_head():
    """The names' vectors, from here on fixed: the stem head's weights in their 192 main directions."""
    rows = F.normalize(model.early[-1].weight, dim=-1)
    rows = rows - rows.mean(0)
    _, _, directions = torch.linalg.svd(rows, full_matrices=False)
    model.names.copy_(F.normalize(rows @ directions[: model.names.shape[1]].T, dim=-1))
    state["tabled"] = True


def finished(loss):
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


@torch.no_grad()
def measure(limit=600):
    """Top-1 among all known names of objects cropped from development scenes (true box, +-6 %)."""
    model.eval()
    names = model.text(texts([f"a photo of {with_article(c)}" for c in world.concepts]))
    rgb, top, scenes = world.scenes("dev-scenes")
    jig = np.random.default_rng(7)
    right = early = seen = 0
    pixels, truth = [], []
    for i, objects in enumerate(scenes):
        for one, box in zip(objects, boxes_of(top[i], len(objects))):
            if one["concept"] in world.index and box is not None and len(truth) < limit:
                pixels.append(crop_box(rgb[i], box, 64, jig))
                truth.append(world.index[one["concept"]])
    for k in range(0, len(truth), 100):
        part = torch.stack(pixels[k : k + 100])
        logits = model.image(part) @ names.T
        early += (model.early(model.image.stem[:5](part * 2 - 1)).argmax(1) == torch.tensor(truth[k : k + 100])).sum().item()
        right += (logits.argmax(1) == torch.tensor(truth[k : k + 100])).sum().item()
        seen += len(logits)
    model.train()
    return {"top1": right / seen, "stem": early / seen}


def save():
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "state": state,
                "random": random.bit_generator.state}, checkpoint + ".part")
    os.replace(checkpoint + ".part", checkpoint)
    json.dump({k: state[k] for k in ["step", "cpu", "figures", "losses"]},
              open(os.path.join(args.out, "encoder-log.json"), "w"))


model.train()
started, last_save, mark = time.process_time(), time.time(), state["cpu"]
total = 0.0
until = mark + budget if args.polish else budget
begun = state["step"]
while state["cpu"] < until:
    progress = progress_now() * 2 - 1 if args.polish else progress_now()
    warm = min(1, (state["step"] - begun) / 200)
    rate = args.rate * warm * 0.5 * (1 + math.cos(math.pi * min(1, progress)))
    for group in optimizer.param_groups:
        group["lr"] = max(rate, 1e-6)
    total += step()
    state["step"] += 1
    state["cpu"] = mark + time.process_time() - started
    if state["step"] % 100 == 0:
        state["losses"].append([state["step"], total / 100])
        print(f"step {state['step']} cpu {state['cpu']:.0f}s loss {total/100:.3f} "
              f"right {sum(seen_right[-100:])/100:.3f} early {sum(early_right[-100:])/100:.3f} "
              f"scale {model.scale.exp().item():.1f}", flush=True)
        total = 0.0
    if time.time() - last_save > 240:
        state["figures"].append([state["step"], state["cpu"], measure()])
        print("development top-1 in scenes", state["figures"][-1], flush=True)
        save()
        last_save = time.time()
state["figures"].append([state["step"], state["cpu"], measure(3000)])
print("final development top-1 in scenes", state["figures"][-1], flush=True)
save()
