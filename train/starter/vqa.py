"""Trains the starter answerer (VQA, CAPTION): `vqa.py --data FOLDER --encoder enc.pt --trunk detector.pt --out FOLDER`.

Sees what programs show it: whole scenes, what lies on one side of a thing, and boxes of objects.
Asks what programs ask, and what people ask in one step. Never a word of a held-out concept.
"""

import os

import numpy as np
import torch
import torch.nn.functional as F

import text
from course import Course, arguments
from data import World, with_article
from features import opened_views, padded, stem_of
from model import Answerer, count

args = arguments(minutes=25, batch=24, rate=1e-3, encoder="", trunk="", questions=5)
random = np.random.default_rng(args.seed)
world = World(args.data)
_, _, scenes = world.scenes("train-scenes")
views = {name: opened_views(args.data, name) for name in ["train", "crops"]}
subwords = text.load(os.path.join(os.path.dirname(args.encoder), "subwords.json"))
concepts = {c["id"]: c for c in world.concepts}
classes_of = {c["id"]: [k for k in world.classes if c["id"] in k["members"]] for c in world.concepts}
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
pick = lambda items: items[random.integers(len(items))]


def article(words):
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


def named(concept):
    """The label mostly, else a synonym."""
    return pick([concept["label"]] * 4 + concept["synonyms"])


def fine(name):
    """An answer has at most 10 subwords."""
    return len(subwords.merged(name)) <= 10


def caption_of(objects):
    groups = {}
    for one in objects:
        groups.setdefault(one["concept"], []).append(one)
    parts = []
    for key, members in groups.items():
        concept = concepts[key]
        if len(members) > 1:
            parts.append(f"{NUMBERS[len(members)]} {concept['plural']}")
        else:
            parts.append(with_article(concept))
    return parts


def ask_object(one):
    """A question about a picture that shows one object's box."""
    concept = concepts[one["concept"]]
    kind = random.uniform()
    colour = one["colour"]
    if colour and (concept["tint"] or random.uniform() < 0.3) and kind < 0.45:
        name = pick([named(concept), "thing", "it"] if random.uniform() < 0.3 else [named(concept)])
        asked = "what color is it?" if name == "it" else pick(["what color is the {}?", "what colour is the {}?"]).format(name)
        return asked, colour
    if kind < 0.6 or not classes_of[concept["id"]]:
        return pick(["what is this?", "what is this?", "what is it?", "what is in the picture?"]), concept["label"]
    one_class = pick(classes_of[concept["id"]])
    if kind < 0.85:
        return f"what {one_class['label']} is this?", concept["label"]
    asked = pick([one_class["label"], pick(world.classes)["label"], named(concept), named(pick(world.concepts))])
    yes = asked in [k["label"] for k in classes_of[concept["id"]]] or asked in [concept["label"], *concept["synonyms"]]
    return f"is this {article(asked)}?", "yes" if yes else "no"


def ask_scene(objects):
    """A question about what a whole view shows; None when the one drawn cannot be asked."""
    present = [o["concept"] for o in objects]
    single = [o for o in objects if present.count(o["concept"]) == 1]
    kind = random.uniform()
    if kind < 0.3:
        told = [o for o in single if o["colour"] and concepts[o["concept"]]["tint"]] or [o for o in single if o["colour"]]
        if not told:
            return None
        one = pick(told)
        return pick(["what color is the {}?", "what colour is the {}?"]).format(named(concepts[one["concept"]])), one["colour"]
    if kind < 0.5:
        told = [o for o in single if o["size"]]
        if not told:
            return None
        one = pick(told)
        return f"what size is the {named(concepts[one['concept']])}?", one["size"]
    if kind < 0.65:
        pairs = [(a, b) for a in single for b in single if a["area"] >= 1.5 * b["area"]]
        if not pairs:
            return None
        a, b = pick(pairs)
        first, second = concepts[a["concept"]]["label"], concepts[b["concept"]]["label"]
        two = (first, second) if random.integers(2) else (second, first)
        return "which is larger, the {} or the {}?".format(*two), first
    if kind < 0.8:
        concept = concepts[pick(present)] if present and random.integers(4) else pick(world.concepts)
        return f"how many {concept['plural']} are there?", str(present.count(concept["id"]))
    if kind < 0.95:
        if random.integers(2) and present:
            concept, answer = concepts[pick(present)], "yes"
        else:
            concept = pick(world.concepts)
            answer = "yes" if concept["id"] in present else "no"
        name = with_article(concept, named(concept))
        return pick(["is there {} in the picture?", "is there {}?"]).format(name), answer
    one_class = pick(world.classes)
    known = sum(p in one_class["members"] for p in present)
    return f"how many {one_class['plural']} are there?", str(known)


def visible(row):
    """Objects of a scene's view: whole ones, or those of which half remains."""
    x1, y1, x2, y2 = (int(v) for v in views["train"][1][row])
    whole = (x1, y1, x2, y2) == (0, 0, 256, 256)
    kept = []
    for one in scenes[row]:
        a1, b1, a2, b2 = one["box"]
        c1, d1, c2, d2 = max(a1, x1), max(b1, y1), min(a2, x2), min(b2, y2)
        if c2 > c1 and d2 > d1 and (c2 - c1) * (d2 - d1) >= 0.5 * (a2 - a1) * (b2 - b1):
            kept.append(one)
    return kept, whole


def lesson():
    """One view with its questions and answers."""
    asked = []
    if random.uniform() < 0.45:
        stem, seen = views["crops"]
        row = int(random.integers(len(stem)))
        one = scenes[row][int(seen[row][0])]
        asked = [ask_object(one) for _ in range(args.questions)]
    else:
        stem, seen = views["train"]
        row = int(random.integers(len(stem)))
        objects, whole = visible(row)
        while objects and len(asked) < args.questions - 1:
            if (one := ask_scene(objects)) is not None:
                asked.append(one)
        parts = caption_of(objects)
        if parts and whole:
            asked.append(("", pick(parts)))
    return row, stem, [(q, a) for q, a in asked if fine(a)]


def ids(words, length, end=True):
    merged = subwords.merged(words)[: length - 1] if words else []
    row = merged + ([text.END] if end else [])
    return row + [0] * (length - len(row))


def main():
    model = Answerer(subwords.size)
    trunk, encoder = stem_of(args.encoder)
    model.trunk.load_state_dict(trunk.state_dict())
    if args.trunk:
        detector = torch.load(args.trunk, weights_only=False)
        model.trunk.load_state_dict({k[6:]: v for k, v in detector["average"].items() if k.startswith("trunk.")})
    model.table.weight.data.copy_(encoder["text.table.weight"])
    for p in model.trunk.stem.parameters():
        p.requires_grad = False
    print(f"{count(model)/1e6:.2f} M parameters", flush=True)

    def step(_):
        features, where, questions, answers = [], [], [], []
        while len(features) < args.batch:
            row, stem, asked = lesson()
            if not asked:
                continue
            where += [len(features)] * len(asked)
            features.append(np.array(stem[row]))
            questions += [ids(q, Answerer.QUESTION) for q, _ in asked]
            answers += [ids(a, Answerer.ANSWER - 1) for _, a in asked]
        tokens = model.trunk(torch.from_numpy(np.stack(features)).float())
        question, answer = torch.tensor(questions), torch.tensor(answers)
        question = question[:, : int((question != 0).sum(1).max())]
        answer = answer[:, : int((answer != 0).sum(1).max())]
        memory, _ = model.read(tokens[where], question)
        given = torch.cat([torch.full((len(answer), 1), text.START), answer[:, :-1]], 1)
        logits = model.write(model.begin(given), memory)
        return F.cross_entropy(logits.flatten(0, 1), answer.flatten(), ignore_index=0)

    @torch.no_grad()
    def answered(tokens, questions):
        memory, _ = model.read(tokens, torch.tensor([ids(q, Answerer.QUESTION) for q in questions]))
        given = torch.full((len(questions), 1), text.START)
        for _ in range(Answerer.ANSWER - 2):
            given = torch.cat([given, model.write(model.begin(given), memory)[:, -1:].argmax(-1)], 1)
        return given[:, 1:].tolist()

    def measure():
        global random
        kept, random = random, np.random.default_rng(3)
        rgb, top, listed = world.scenes("dev-scenes")
        right = {}
        for i in range(150):
            objects = [o for o in listed[i] if o["concept"] in world.index]
            if not objects:
                continue
            pixels = torch.from_numpy(np.array(rgb[i])).permute(2, 0, 1).float() / 255
            one = pick(objects)
            x1, y1, x2, y2 = one["box"]
            sights = [("scene", pixels, [q for _ in range(6) if (q := ask_scene(objects))] if len(objects) == len(listed[i]) else []),
                      ("crop", pixels[:, y1:y2, x1:x2], [ask_object(one) for _ in range(3)])]
            for sight, part, asked in sights:
                if not asked:
                    continue
                tokens = model.trunk(model.trunk.features(padded(part)[None]))
                for (q, a), got in zip(asked, answered(tokens.expand(len(asked), -1, -1), [q for q, _ in asked])):
                    wanted = ids(a, Answerer.ANSWER - 1)
                    upto = wanted.index(text.END) + 1
                    kind = f"{sight} {' '.join(q.split()[:2])}"
                    right.setdefault(kind, []).append(got[:upto] == wanted[:upto])
        random = kept
        everything = [r for rs in right.values() for r in rs]
        return {"accuracy": sum(everything) / len(everything),
                **{k: [round(sum(v) / len(v), 3), len(v)] for k, v in sorted(right.items())}}

    Course("vqa", model, args, random, average=0.998).run(step, measure)


if __name__ == "__main__":
    main()
