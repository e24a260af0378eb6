"""Trains the starter encoder (SELECT, CLASSIFY) and its texts: `encoder.py --data FOLDER --out FOLDER`.

First the convolutional stem alone learns the known names, which is fast; its head's weights then become
the names' vectors, which the blocks' image vectors and the texts learn to meet.
"""

import os

import numpy as np
import torch
import torch.nn.functional as F

import text
from course import Course, arguments
from data import SceneCrops, World, boxes_of, corpus, crop_box, crops, halved, phrase, with_article
from model import Encoder, count

args = arguments(minutes=38, batch=96, rate=2e-3, names=96)
random = np.random.default_rng(args.seed)
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


def step(progress):
    pixels, target = batch()
    features = model.image.stem[:5](pixels * 2 - 1)
    early = model.early(features)
    loss = F.cross_entropy(early, target, label_smoothing=0.05)
    if progress < 0.35:
        return loss
    if not course.state.get("tabled"):
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
    return loss


@torch.no_grad()
def table_from_head():
    """The names' vectors, from here on fixed: the stem head's weights in their 192 main directions."""
    rows = F.normalize(model.early[-1].weight, dim=-1)
    rows = rows - rows.mean(0)
    _, _, directions = torch.linalg.svd(rows, full_matrices=False)
    model.names.copy_(F.normalize(rows @ directions[: model.names.shape[1]].T, dim=-1))
    course.state["tabled"] = True


def measure(limit=1500):
    """Top-1 among all known names of objects cropped from development scenes (true box, +-6 %)."""
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
    return {"top1": right / seen, "stem": early / seen}


course = Course("encoder", model, args, random, decay=0.05)
course.run(step, measure)
