eot(3).
round(1).
round(2).
round(3).
process("a").
process("b").
before("a", "b").
crashed("a", 2).
restarted("a", 3).
paused("b", 1).
paused("b", 2).
sent("a", "b", "vote", "{\"term\":3}", 1).
sent("b", "a", "vote", "no", 2).
sent("a", "b", "vote", "", 3).
delivered("a", "b", "vote", "{\"term\":3}", 3).
delivered("a", "b", "vote", "", 3).
lost("b", "a", "vote", "no", 2).
leader("a", 3, 1).
payload("b", 3).
