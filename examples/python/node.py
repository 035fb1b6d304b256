# A primary that stores a value on its backups, as a node of ldfi's step protocol
# (docs/wire.md). With "early" it acknowledges the value before a backup has it.
import json
import sys

early = "early" in sys.argv


class Node:
    def start(self, q):
        self.backups = q["nodes"][1:] if q["node"] == q["nodes"][0] else []
        self.value = "x" if self.backups else q["durable"]
        self.confirmed, self.acknowledged, self.answers = set(), False, []
        return {"again": True}

    def send(self, q):
        out, facts = self.answers, []
        if self.backups and not self.acknowledged and (early or self.confirmed):
            self.acknowledged = True
            facts.append(["acknowledged", self.value])
        elif self.backups:
            out = [{"to": b, "kind": "copy", "args": [self.value]} for b in self.backups if b not in self.confirmed]
        elif self.value:
            facts.append(["has", self.value])
        self.answers = []
        return {"send": out, "facts": facts}

    def receive(self, q):
        for m in q["messages"]:
            if m["kind"] == "copy":
                self.value = m["args"][0]
                self.answers.append({"to": m["from"], "kind": "stored", "args": []})
            else:
                self.confirmed.add(m["from"])
        return {} if self.backups else {"durable": self.value}


node = Node()
for line in sys.stdin:
    q = json.loads(line)
    answer = getattr(node, q["do"])(q)
    print(json.dumps({"id": q["id"], **answer}), flush=True)
