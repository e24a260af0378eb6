"""Subword vocabulary of the starter models: byte-level pairs, trained on known names only.

The encoder in TypeScript (src/tools/models/starter/subwords.ts) reads the same JSON.
"""

import collections
import functools
import json
import re

LENGTH = 16
PAD, START, END = 0, 1, 2
SPECIALS = 3
WORD = re.compile(r" ?[a-z]+| ?[0-9]| ?[^\sa-z0-9]+")


def words_of(text):
    """Lower case; each word carries the blank before it."""
    return WORD.findall(" " + " ".join(text.lower().split()))


def train_pairs(corpus, size):
    """Merges of byte pairs, most frequent first, until the vocabulary has `size` entries."""
    counts = collections.Counter(w for text in corpus for w in words_of(text))
    words = {w: list(w.encode()) for w in counts}
    merges = []
    while SPECIALS + 256 + len(merges) < size:
        pairs = collections.Counter()
        for word, parts in words.items():
            for pair in zip(parts, parts[1:]):
                pairs[pair] += counts[word]
        if not pairs:
            break
        (pair, n) = max(pairs.items(), key=lambda item: (item[1], item[0]))
        if n < 2:
            break
        made = 256 + len(merges)
        merges.append(pair)
        for word, parts in words.items():
            words[word] = merge(parts, pair, made)
    return merges


def merge(parts, pair, made):
    out, i = [], 0
    while i < len(parts):
        if i + 1 < len(parts) and (parts[i], parts[i + 1]) == pair:
            out.append(made)
            i += 2
        else:
            out.append(parts[i])
            i += 1
    return out


class Subwords:
    def __init__(self, merges):
        self.merges = [tuple(m) for m in merges]
        self.rank = {m: i for i, m in enumerate(self.merges)}
        self.size = SPECIALS + 256 + len(self.merges)

    @functools.lru_cache(maxsize=100_000)
    def merged(self, text):
        """Subword ids of a text, without start, end or padding."""
        ids = []
        for word in words_of(text):
            parts = list(word.encode())
            while len(parts) > 1:
                ranked = [(self.rank.get(p, 1 << 30), p) for p in zip(parts, parts[1:])]
                best = min(ranked)
                if best[0] == 1 << 30:
                    break
                parts = merge(parts, best[1], 256 + best[0])
            ids += [SPECIALS + p for p in parts]
        return ids

    def encode(self, text, length=LENGTH):
        ids = [START] + self.merged(text)[: length - 2] + [END]
        return (ids + [PAD] * length)[:length]

    def save(self, path):
        with open(path, "w") as file:
            json.dump({"version": 1, "specials": ["pad", "start", "end"], "merges": self.merges}, file)


def load(path):
    with open(path) as file:
        return Subwords(json.load(file)["merges"])
