"""Trains the judge of edits: `python train/starter/judge.py --data FOLDER --out FOLDER`.

It alone sees the new concepts; no tool may load it (picture-world §8).
"""

import numpy as np
import torch
import torch.nn.functional as F

from course import Course, arguments
from data import SceneCrops, World, blobs, boxes_of, crop_box, crops, halved, jitter, over, place
from model import Judge, count

args = arguments(minutes=15, batch=128, rate=2e-3)
random = np.random.default_rng(args.seed + 1000)
world = World(args.data)
known, of_known = world.sprites("train-sprites")
new, of_new = world.sprites("new-sprites")
sprites = halved(torch.cat([known, new]))
labels = np.array([world.all_index[s["concept"]] for s in of_known + of_new])
by_concept = [np.flatnonzero(labels == i) for i in range(len(world.all))]
scene_crops = SceneCrops(world, world.all_index)
nothing = len(world.all)
model = Judge(nothing + 1)
print(f"{count(model)/1e6:.2f} M parameters, {len(sprites)} drawings", flush=True)


def step(_):
    n, empty = args.batch, args.batch // 10
    picked = random.integers(len(world.all), size=n - empty)
    rows = [by_concept[i][random.integers(len(by_concept[i]))] for i in picked]
    other = random.integers(len(sprites), size=n - empty)
    full = crops(sprites[rows], sprites[other], 64, random)
    if scene_crops.listed:
        # Half of the known things as scenes show them.
        cut, cut_target = scene_crops.draw((n - empty) // 2, random)
        full[: len(cut)], picked[: len(cut)] = cut, cut_target.numpy()
    bare = blobs(empty, 64, random)
    # An empty ground may have a neighbour's rim in it.
    half = empty // 2
    rim = place(sprites[random.integers(len(sprites), size=half)], 64, random, (0.5, 0.9), 0.15)
    rim = torch.roll(rim, shifts=(int(random.choice([-52, 52])), 0), dims=(2, 3))
    rim[:, :, 12:52] = 0
    bare[:half] = over(bare[:half], rim)
    pixels = torch.cat([full, jitter(bare, random)])
    target = torch.cat([torch.from_numpy(picked), torch.full((empty,), nothing)])
    return F.cross_entropy(model(pixels), target, label_smoothing=0.05)


def measure(limit=1500):
    rgb, top, scenes = world.scenes("dev-scenes")
    jig, pixels, truth = np.random.default_rng(7), [], []
    for i, objects in enumerate(scenes):
        for one, box in zip(objects, boxes_of(top[i], len(objects))):
            if box is not None and len(truth) < limit:
                pixels.append(crop_box(rgb[i], box, 64, jig))
                truth.append(world.all_index[one["concept"]])
    logits = torch.cat([model(torch.stack(pixels[k : k + 100])) for k in range(0, len(pixels), 100)])
    right = (logits.argmax(1) == torch.tensor(truth)).float()
    is_new = torch.tensor(truth) >= len(world.concepts)
    empty = model(jitter(blobs(300, 64, jig), jig)).argmax(1) == nothing
    return {"known": right[~is_new].mean().item(), "new": right[is_new].mean().item() if is_new.any() else None,
            "nothing": empty.float().mean().item()}


Course("judge", model, args, random, average=0.999).run(step, measure)
