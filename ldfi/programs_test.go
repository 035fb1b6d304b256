package ldfi_test

// Small programs that the tests ask about.

// retry keeps its promise only as long as the sender lives and is heard once.
const retry = `
// ldfi: processes=a,b,c eot=6 eff=3 crashes=1
node("a")@1; node("b")@1; node("c")@1;
node(P)@next :- node(P);
log("a", "hello")@1;
log(P, M)@next :- log(P, M);
relay("a", "hello")@1;
relay(P, M)@next :- relay(P, M);
log(Q, M)@async :- relay(P, M), node(Q);
pre(P, M) :- log(Q, M), node(P), notin crash(Q, Q, _), notin crash(P, P, _);
post(P, M) :- log(P, M);
`

// gossip has everybody send what he has in every round.
const gossip = `
// ldfi: processes=a,b,c eot=6 eff=3 crashes=1
node("a")@1; node("b")@1; node("c")@1;
node(P)@next :- node(P);
log("a", "hello")@1;
log(P, M)@next :- log(P, M);
log(Q, M)@async :- log(P, M);
pre(P, M) :- log(P, M)@4, notin crash(P, P, _);
post(P, M) :- log(P, M);
`

// delivered breaks its promise when b gets a message and c does not.
const delivered = `
// ldfi: processes=a,b,c eot=3 omissions=1
msg("a", 1)@1;
got(Q, X)@async :- msg(P, X);
got(P, X)@next :- got(P, X);
violation(X) :- got("b", X), notin got("c", X);
`
