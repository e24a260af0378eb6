"""Trains the starter encoder (SELECT, CLASSIFY) and its texts: `encoder.py --data FOLDER --out FOLDER`.

First convolution alone learns the known names, a vector each, which is fast; then the blocks go on from
its image vectors, and the texts learn to meet the names' vectors.
"""

import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import text
from course import Course, arguments
from data import SceneCrops, World, boxes_of, corpus, crop_box, crops, halved, phrase, recoloured, with_article
from model import Encoder, count

# The share of the course in which convolution learns alone.
CONVOLUTION = 0.65

args = arguments(minutes=60, batch=96, rate=2e-3, names=192, reading=2.5)
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
    cut = recoloured(torch.cat([cut, torch.ones(len(cut), 1, 64, 64)], 1), random)[:, :3]
    pixels = torch.cat([crops(sprites[rows], sprites[other], 64, random), cut])
    return pixels.contiguous(memory_format=torch.channels_last), torch.cat([torch.from_numpy(picked), cut_target])


def step(progress):
    pixels, target = batch()
    scale = model.scale.exp().clamp(max=40)
    # At the end the names stand still, so that the texts can meet them.
    held = model.names.detach() if progress > 0.85 else model.names
    table = F.normalize(held, dim=-1)
    named = lambda vectors: F.cross_entropy(scale * vectors @ table.T, target, label_smoothing=0.05)
    if progress < CONVOLUTION:
        return named(model.image.look(model.image.whole(model.image.stem[:5](pixels * 2 - 1)), model.image.even))
    if not course.state.get("blocks"):
        model.image.even_end.load_state_dict(model.image.even.state_dict())
        course.state["blocks"] = True
    start = model.image.begin(pixels)
    image = model.image.through(start, 28 if progress < 0.85 else 64)
    loss = named(image) + 0.5 * named(model.image.look(start[:, 0], model.image.even))
    return loss + text_loss(table.detach(), scale.detach())


def text_loss(table, scale):
    """Texts meet the names' vectors: some names a step, and some classes with all their members."""
    rows = torch.from_numpy(random.permutation(len(world.concepts))[: args.names])
    words = model.text(texts([phrase(world.concepts[i], random) for i in rows]))
    loss = F.cross_entropy(scale * words @ table.T, rows) + 4 * (1 - (words * table[rows]).sum(1).mean())
    chosen = random.choice(len(world.classes), 12, replace=False)
    kinds = texts([world.classes[i]["label" if random.integers(2) else "plural"] for i in chosen])
    kind_logits = scale * (model.text(kinds) @ table.T - 0.35)
    return loss + 0.3 * F.binary_cross_entropy_with_logits(kind_logits, members[chosen])


def finish():
    """What remains once pictures are learnt, on the running average: the spread of both looks over training
    pictures; names moved a quarter of the way to what their pictures look like, so that a name taught later by
    pictures alone is compared with its like; and texts that meet them. Once a course: a second time would move
    the names again."""
    if course.state.get("finished") == args.minutes:
        return
    model.load_state_dict(course.average)
    model.eval()
    image, starts, ends = model.image, [], []
    with torch.no_grad():
        for _ in range(24):
            start = x = image.begin(batch()[0])
            for layer in image.layers:
                x = layer(x)
            starts.append(image.project(image.norm(start[:, 0])))
            ends.append(image.project(image.norm(x[:, 0])))
        for even, seen in ((image.even, torch.cat(starts)), (image.even_end, torch.cat(ends))):
            even.running_mean.copy_(seen.mean(0))
            even.running_var.copy_(seen.var(0))
        seen = torch.cat([image(crops(part, part.flip(0), 64, random, recolour=False)) for part in sprites.split(100)])
        means = torch.zeros_like(model.names).index_add(0, torch.from_numpy(labels), seen)
        model.names.copy_(F.normalize(0.75 * F.normalize(model.names, dim=-1) + 0.25 * F.normalize(means, dim=-1), dim=-1))
    table, scale = model.names.detach(), model.scale.exp().clamp(max=40).detach()
    optimizer = torch.optim.AdamW(model.text.parameters(), 1e-3, weight_decay=0.01)
    started, budget = time.process_time(), 10 if args.toy else 60 * args.reading
    while (gone := time.process_time() - started) < budget:
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * max(0.01, 1 - gone / budget)
        loss = text_loss(table, scale)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"texts at a loss of {loss.item():.3f}", flush=True)
    course.average = {k: v.clone() for k, v in model.state_dict().items()}
    course.state["cpu"] += time.process_time() - started
    course.state["finished"] = args.minutes
    course.measured(measure)
    course.save()


def measure(limit=1500):
    """Top-1 of objects cropped from development scenes (true box, +-6 %): by text among all known names;
    by the names' own vectors, before and after the blocks; new ones by the mean of three pictures of other
    designers among all names."""
    told = model.text(texts([f"a photo of {with_article(c)}" for c in world.concepts]))
    table = F.normalize(model.names, dim=-1)
    rgb, top, scenes = world.scenes("dev-scenes")
    jig = np.random.default_rng(7)
    pixels, truth = [], []
    for i, objects in enumerate(scenes):
        for one, box in zip(objects, boxes_of(top[i], len(objects))):
            if box is not None and len(truth) < limit:
                pixels.append(crop_box(rgb[i], box, 64, jig))
                truth.append(world.all_index[one["concept"]])
    truth, seen = torch.tensor(truth), torch.stack(pixels)
    image = torch.cat([model.image(part) for part in seen.split(100)])
    glance = torch.cat([model.image.look(model.image.begin(part)[:, 0], model.image.even) for part in seen.split(100)])
    known = truth < len(world.concepts)
    share = lambda vectors, names, on: (vectors[on] @ names.T).argmax(1).eq(truth[on]).float().mean().item()
    learnt = torch.cat([told, taught()]) if (~known).any() else told
    return {"top1": share(image, told, known), "names": share(image, table, known),
            "convolution": share(glance, table, known), "new": share(image, learnt, ~known)}


def taught(shots=3):
    """Unit vectors of the held-out names by the mean of a few drawings; measured with, never trained on."""
    new, listed = world.sprites("new-sprites")
    jig = np.random.default_rng(8)
    rows = [jig.permutation([i for i, s in enumerate(listed) if s["concept"] == c["id"]])[:shots]
            for c in world.held_out]
    drawn = halved(new[np.concatenate(rows)])
    image = model.image(crops(drawn, drawn[torch.randperm(len(drawn))], 64, jig))
    return F.normalize(torch.stack([part.mean(0) for part in image.split([len(r) for r in rows])]), dim=-1)


model.to(memory_format=torch.channels_last)
course = Course("encoder", model, args, random, decay=0.05, average=0.998)
course.run(step, measure)
finish()
