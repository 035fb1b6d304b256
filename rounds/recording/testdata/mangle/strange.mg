# relation "Poster" is written poster
# relation "_?@.x" is written r____x
# relation "let" is written let_
# relation "sent" is written sent_
# relation "élan" is written r_lan
eot(4).
round(1).
round(2).
round(3).
round(4).
process("a").
process("参").
process("3").
before("a", "参").
before("a", "3").
before("参", "3").
crashed("a", 2).
isolated("3", 2).
isolated("3", 3).
isolated("参", 4).
sent("", "3", "tick", "", 1).
sent("a", "参", "log", "x>y", 1).
sent("参", "3", "Log.2", "", 1).
sent("", "3", "tick", "", 2).
sent("a", "参", "log", "x>y", 2).
sent("参", "3", "Log.2", "", 2).
sent("", "3", "tick", "", 3).
sent("a", "参", "log", "x>y", 3).
sent("参", "3", "Log.2", "", 3).
sent("", "3", "tick", "", 4).
sent("a", "参", "log", "x>y", 4).
sent("参", "3", "Log.2", "", 4).
delivered("", "3", "tick", "", 1).
delivered("a", "参", "log", "x>y", 1).
delivered("参", "3", "Log.2", "", 1).
delivered("", "3", "tick", "", 2).
delivered("", "3", "tick", "", 3).
delivered("", "3", "tick", "", 4).
lost("a", "参", "log", "x>y", 2).
lost("参", "3", "Log.2", "", 2).
lost("a", "参", "log", "x>y", 3).
lost("参", "3", "Log.2", "", 3).
lost("a", "参", "log", "x>y", 4).
lost("参", "3", "Log.2", "", 4).
poster("", 1).
r____x(1).
let_(1).
post_(1).
sent_(1).
r_lan(1).
post(b"not \xff UTF-8", -9223372036854775808, "<&>", 3).
post("\\\"'`\x09\x0a\x0d\x00\x7f", 9223372036854775807, "é参\u{2028}", 4).
post("a", -7, "-7", 4).
