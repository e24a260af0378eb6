"""What export-data.ts wrote, as tensors; and the pictures that training sees."""

import json
import os

import numpy as np
import torch
import torch.nn.functional as F

TEMPLATES = ["a photo of {a}", "{a}", "{n}", "the {n}", "a photo of the {n}", "a drawing of {a}"]


class World:
    def __init__(self, folder):
        self.folder = folder
        names = json.load(open(os.path.join(folder, "names.json")))
        self.sprite_hash = names["spriteHash"]
        self.concepts = names["concepts"]
        self.held_out = names["heldOut"]
        self.classes = names["classes"]
        self.index = {c["id"]: i for i, c in enumerate(self.concepts)}
        self.all = self.concepts + self.held_out
        self.all_index = {c["id"]: i for i, c in enumerate(self.all)}

    def sprites(self, name):
        """[n, 128, 128, 4] bytes and what they are."""
        listed = json.load(open(os.path.join(self.folder, f"{name}.json")))
        raw = np.memmap(os.path.join(self.folder, f"{name}.rgba"), np.uint8, "r")
        return torch.from_numpy(np.array(raw)).view(-1, 128, 128, 4), listed

    def scenes(self, name, size=256):
        """Memory-mapped [n, size, size, 3] RGB and [n, size, size] top-object maps, with the objects."""
        listed = json.load(open(os.path.join(self.folder, f"{name}.json")))
        shape = (len(listed), size, size)
        rgb = np.memmap(os.path.join(self.folder, f"{name}.rgb"), np.uint8, "r", shape=(*shape, 3))
        top = np.memmap(os.path.join(self.folder, f"{name}.top"), np.uint8, "r", shape=shape)
        return rgb, top, listed


def with_article(concept, name=None):
    name = name or concept["label"]
    article = concept["article"]
    if article:
        article = "an" if name[0] in "aeiou" and not name.startswith(("uni", "eu")) else "a"
    return f"{article} {name}".strip()


def phrase(concept, random):
    """One way of naming a concept: label or synonym, in some template."""
    names = [concept["label"]] * 3 + concept["synonyms"]
    name = names[random.integers(len(names))]
    template = TEMPLATES[random.integers(len(TEMPLATES))]
    return template.format(a=with_article(concept, name), n=name)


def corpus(world):
    texts = []
    for concept in world.concepts:
        for name in [concept["label"], concept["plural"], *concept["synonyms"]]:
            texts += [t.format(a=with_article(concept, name), n=name) for t in TEMPLATES]
    for one in world.classes:
        texts += [one["label"], one["plural"], f"the {one['plural']}"] * 2
    for concept in world.concepts:
        one, many = with_article(concept), concept["plural"]
        name = concept["label"]
        texts += [f"what color is the {name}?", f"what size is the {name}?", f"how many {many} are there?"]
        texts += [f"is there {one} in the picture?", f"which is larger, the {name} or the {many}?"]
        texts += [f"what colour is the {name}?", f"are there {many}?", f"a picture with {one} and two {many}"]
    for one in world.classes:
        texts += [f"what {one['label']} is this?", f"how many {one['plural']} are there?"] * 4
        texts += [f"is there a {one['label']}?", f"are there any {one['plural']}?"] * 2
    texts += ["what is this?", "yes", "no", "small", "large", "medium", "one", "two", "three", "four"] * 20
    for colour in "red orange yellow green blue purple pink brown black white grey".split():
        texts += [f"a {colour} thing", f"what colour is the thing", colour] * 10
    return texts


def blobs(n, side, random):
    """Random grounds [n, 3, side, side] in 0..1: flat, gradient, noise of several grains."""
    g = torch.Generator().manual_seed(int(random.integers(1 << 31)))
    out = torch.zeros(n, 3, side, side)
    for grain, weight in [(2, 0.6), (5, 0.5), (16, 0.35), (side, 0.12)]:
        noise = torch.rand(n, 1, grain, grain, generator=g) - 0.5
        noise = F.interpolate(noise, size=(side, side), mode="bilinear", align_corners=False)
        on = (torch.rand(n, 1, 1, 1, generator=g) < 0.6).float()
        tone = torch.randn(n, 3, 1, 1, generator=g) * 0.7
        out += noise * weight * on * tone
    return (out + torch.rand(n, 3, 1, 1, generator=g)).clamp(0, 1)


def halved(sprites):
    """[n, 128, 128, 4] bytes to [n, 4, 64, 64], colours multiplied by alpha."""
    out = torch.empty(len(sprites), 4, 64, 64)
    for k in range(0, len(sprites), 256):
        pixels = sprites[k : k + 256].permute(0, 3, 1, 2).float() / 255
        alpha = pixels[:, 3:]
        out[k : k + 256] = F.avg_pool2d(torch.cat([pixels[:, :3] * alpha, alpha], 1), 2)
    return out


def extents(sprites):
    """Centre and size [n, 4] (x, y, w, h) of what is drawn, in the frame's -1..1 and 0..1."""
    alpha = sprites[:, 3] > 0.1
    found = []
    for axis in (1, 2):
        there = alpha.any(axis).float()
        place = torch.arange(there.shape[1], dtype=torch.float32)
        low = torch.where(there > 0, place, torch.inf).amin(1)
        high = torch.where(there > 0, place, -1.0).amax(1) + 1
        found.append(((low + high) / there.shape[1] - 1, (high - low) / there.shape[1]))
    return torch.stack([found[0][0], found[1][0], found[0][1], found[1][1]], 1)


def place(sprites, side, random, scale=(0.62, 1.02), shift=0.1, turn=15, squash=None):
    """Halved sprites [n, 4, 64, 64] drawn into [n, 4, side, side], colours multiplied by alpha.

    With `squash` (extents [n, 4]) most fill the frame both ways, as a box squashed to a square does.
    """
    n, pixels = len(sprites), sprites
    s = torch.from_numpy(random.uniform(*scale, n)).float()
    a = torch.from_numpy(random.uniform(-turn, turn, n) * np.pi / 180).float()
    flip = torch.from_numpy(random.choice([-1.0, 1.0], n)).float()
    tx = torch.from_numpy(random.uniform(-shift, shift, n)).float()
    ty = torch.from_numpy(random.uniform(-shift, shift, n)).float()
    aspect = torch.from_numpy(np.exp(random.normal(0, 0.08, n))).float()
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = a.cos() / s * flip * aspect
    theta[:, 0, 1] = a.sin() / s * flip
    theta[:, 1, 0] = -a.sin() / s
    theta[:, 1, 1] = a.cos() / s / aspect
    theta[:, 0, 2] = tx / s
    theta[:, 1, 2] = ty / s
    if squash is not None:
        on = torch.from_numpy(random.uniform(0, 1, n) < 0.7)
        # A share of the way to the full squash: boxes of turned things are squarer.
        full = torch.maximum(squash[:, 2:], squash[:, 2:].amax(1, keepdim=True) * 0.3)
        theta[on] = theta[on] * full[on][:, :, None] / full[on].amax(1)[:, None, None]
        theta[on, :, 2] += squash[on, :2]
    grid = F.affine_grid(theta, (n, 4, side, side), align_corners=False)
    return F.grid_sample(pixels, grid, align_corners=False)


class SceneCrops:
    """Objects of painted scenes as SELECT and CLASSIFY are shown them, with their rows in `index`."""

    def __init__(self, world, index, name="train-scenes"):
        self.rgb, _, scenes = world.scenes(name)
        self.listed = [(i, o["box"], index[o["concept"]]) for i, objects in enumerate(scenes)
                       for o in objects if o["concept"] in index]

    def draw(self, n, random):
        """Pixels [n, 3, 64, 64], jittered, half of them flipped; and rows [n]."""
        picked = [self.listed[k] for k in random.integers(len(self.listed), size=n)]
        pixels = torch.stack([crop_box(self.rgb[i], box, 64, random, 0.08) for i, box, _ in picked])
        flip = torch.from_numpy(random.integers(2, size=n) == 1)
        pixels[flip] = pixels[flip].flip(-1)
        return jitter(pixels, random), torch.tensor([c for _, _, c in picked])


def over(ground, layer):
    return ground * (1 - layer[:, 3:]) + layer[:, :3]


def recoloured(layers, random):
    """Sprites [n, 4, h, w], colours multiplied by alpha, as other designers might have drawn them.

    Hue turned a little (half) or at all (a tenth), fewer shades (a quarter), a dark outline (a fifth).
    """
    n = len(layers)
    draw = torch.from_numpy(random.uniform(0, 1, n)).float()
    angle = torch.from_numpy(random.normal(0, 0.5, n)).float()
    angle = torch.where(draw < 0.1, torch.from_numpy(random.uniform(-np.pi, np.pi, n)).float(), angle)
    angle = torch.where(draw < 0.6, angle, torch.zeros(()))
    # A turn about the grey axis.
    third, root = 1 / 3, 3 ** -0.5
    along, across = third * (1 - angle.cos()), root * angle.sin()
    same, next_, last = angle.cos() + along, along - across, along + across
    turn = torch.stack([same, next_, last, last, same, next_, next_, last, same], 1).view(n, 3, 3)
    alpha = layers[:, 3:]
    colour = torch.einsum("nij,njhw->nihw", turn, layers[:, :3]).clamp(min=0)
    colour = torch.minimum(colour, alpha)
    flat = torch.from_numpy(np.flatnonzero(random.uniform(0, 1, n) < 0.25))
    shades = torch.from_numpy(random.integers(3, 7, len(flat))).float()[:, None, None, None]
    colour[flat] = (colour[flat] * shades).round() / shades
    colour = torch.minimum(colour, alpha)
    lined = torch.from_numpy(np.flatnonzero(random.uniform(0, 1, n) < 0.2))
    if len(lined):
        ink = torch.from_numpy(random.uniform(0, 0.3, (len(lined), 3, 1, 1))).float()
        wide = F.max_pool2d(alpha[lined], 3, 1, 1)
        colour[lined] = colour[lined] + (wide - alpha[lined]) * ink
        alpha = alpha.clone()
        alpha[lined] = wide
    return torch.cat([colour, alpha], 1)


def jitter(pixels, random):
    """Contrast, brightness, saturation, slight hue by channel gains, sometimes blur."""
    n = len(pixels)
    r = lambda low, high: torch.from_numpy(random.uniform(low, high, (n, 1, 1, 1))).float()
    grey = pixels.mean(1, keepdim=True)
    pixels = grey + (pixels - grey) * r(0.6, 1.4)
    pixels = (pixels - 0.5) * r(0.7, 1.25) + 0.5 + r(-0.12, 0.12)
    gains = torch.from_numpy(random.uniform(0.85, 1.15, (n, 3, 1, 1))).float()
    pixels = pixels * gains
    blurred = F.avg_pool2d(F.pad(pixels, (1, 1, 1, 1), mode="replicate"), 3, 1)
    soft = torch.from_numpy((random.uniform(0, 1, (n, 1, 1, 1)) < 0.25)).float()
    return (pixels * (1 - soft) + blurred * soft).clamp(0, 1)


def crops(sprites, clutter, side, random, recolour=True):
    """Training crops [n, 3, side, side]: ground, a neighbour below, the sprite, a neighbour above.

    Half of the crops have a neighbour below, a quarter one above; the order of the batch is random.
    """
    n = len(sprites)
    picture = blobs(n, side, random)
    below, above = n // 2, n // 4
    picture[:below] = over(picture[:below], place(clutter[:below], side, random, (0.4, 0.9), 0.95))
    drawn = recoloured(sprites, random) if recolour else sprites
    picture = over(picture, place(drawn, side, random, squash=extents(sprites)))
    rows = slice(below // 2, below // 2 + above)
    picture[rows] = over(picture[rows], place(clutter[-above:], side, random, (0.3, 0.6), 0.9))
    return jitter(picture, random)


def boxes_of(top, count):
    """Tight boxes (x1, y1, x2, y2) of the visible pixels of objects 1..count; None when hidden."""
    found = []
    for i in range(1, count + 1):
        ys, xs = np.nonzero(top == i)
        found.append(None if len(xs) == 0 else (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1))
    return found


def crop_box(rgb, box, side, random=None, margin=0.06):
    """The square crop of a box as SELECT and CLASSIFY make it: grown by the margin, squashed to side."""
    x1, y1, x2, y2 = box
    w, h = x2 - x1, y2 - y1
    jig = (lambda: random.uniform(-margin, margin)) if random is not None else (lambda: 0.0)
    x1, x2 = x1 + jig() * w, x2 + jig() * w
    y1, y2 = y1 + jig() * h, y2 + jig() * h
    height, width = rgb.shape[:2]
    x1, y1 = max(0, int(round(x1))), max(0, int(round(y1)))
    x2, y2 = min(width, max(x1 + 2, int(round(x2)))), min(height, max(y1 + 2, int(round(y2))))
    part = torch.from_numpy(np.ascontiguousarray(rgb[y1:y2, x1:x2])).permute(2, 0, 1)[None].float() / 255
    return F.interpolate(part, size=(side, side), mode="bilinear", align_corners=False, antialias=True)[0]
