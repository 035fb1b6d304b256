# relation "payload" is written payload_
process("a").
process("b").
crashed("a", 2).
restarted("a", 3).
paused("b", 1).
paused("b", 2).
sent("a", "b", 1, "vote").
sent("b", "a", 2, "vote").
sent("a", "b", 3, "vote").
lost("b", "a", 2, "vote").
payload("a", "b", 1, "vote", "{\"term\":3}").
payload("b", "a", 2, "vote", "no").
payload("a", "b", 3, "vote", "").
arrives("a", "b", 3, "vote", "{\"term\":3}").
arrives("a", "b", 3, "vote", "").
leader("a", 3, 1).
payload_("b", 3).
