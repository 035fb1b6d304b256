# A node that does a little of everything, the same as the Go process of steps_test.go.
import json
import sys

if len(sys.argv) > 1 and sys.argv[1] != "once":
    raise ValueError("arguments: " + " ".join(sys.argv[1:]))


class Node:
    def start(self, q):
        self.nodes, self.total = q["nodes"], q["durable"] or 0
        self.next = None
        return {
            "again": "once" not in sys.argv,
            "random": True,
            "facts": [["starts", q["node"], self.total, q["round"]]],
        }

    def send(self, q):
        to = self.nodes[q["random"] % len(self.nodes)]
        send = [{"to": to, "kind": "number", "args": [q["round"], {"now": q["now"]}]}]
        if self.next:
            send.append({"to": self.next, "kind": "echo", "args": []})
        print("info: total", self.total, file=sys.stderr)
        return {"send": send, "facts": [["sees", str(q["now"]), self.total]]}

    def receive(self, q):
        self.next = None
        for m in q["messages"]:
            if m["kind"] == "number":
                self.next = m["from"]
                self.total += m["args"][0] + int(m["args"][1]["now"])
        if self.total % 2:
            return {"durable": self.total}
        return {"facts": [["even", self.total]]}


node = Node()
for line in sys.stdin:
    q = json.loads(line)
    print(json.dumps({"id": q["id"], **getattr(node, q["do"])(q)}), flush=True)
