# relation "Post" is written post__
# relation "_?@.x" is written r____x
# relation "let" is written let_
# relation "sent" is written sent_
# relation "élan" is written r_lan
process("a").
process("参").
process("3").
crashed("a", 2).
isolated("3", 2).
isolated("3", 3).
isolated("参", 4).
sent("", "3", 1, "tick").
sent("a", "参", 1, "log").
sent("参", "3", 1, "Log.2").
sent("", "3", 2, "tick").
sent("a", "参", 2, "log").
sent("参", "3", 2, "Log.2").
sent("", "3", 3, "tick").
sent("a", "参", 3, "log").
sent("参", "3", 3, "Log.2").
sent("", "3", 4, "tick").
sent("a", "参", 4, "log").
sent("参", "3", 4, "Log.2").
lost("a", "参", 2, "log").
lost("参", "3", 2, "Log.2").
lost("a", "参", 3, "log").
lost("参", "3", 3, "Log.2").
lost("a", "参", 4, "log").
lost("参", "3", 4, "Log.2").
post__("", 1).
r____x(1).
let_(1).
post_(1).
sent_(1).
r_lan(1).
post(b"not \xff UTF-8", -9223372036854775808, "<&>", 3).
post("\\\"'`\x09\x0a\x0d\x00\x7f", 9223372036854775807, "é参 ", 4).
post("a", -7, "-7", 4).
