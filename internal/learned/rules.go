package learned

// The relations of every table. Where the system or a property has one of these names,
// the table takes another.
var own = []string{"at", "was", "in", "heard", "inbox", "step", "moves", "moved", "reported", "stopped", "gone", "leaves", "unknown", "fresh", "time", "peer", "end"}

const timeRules = `
time(P, N + 1)@next :- time(P, N);
`

// messageRules are about messages of one kind, and its relation of what is sent.
const messageRules = `
%[1]s(Q, P, X, N)@async :- at(P, S), %[2]s(P, S, Q, X), time(P, N);
in(Q, P, X, N) :- %[1]s(Q, P, X, N);
`

// inboxRules say what a process gets from each, and stepRules what follows: with an
// atom for each process, and what stands for its messages.
const (
	inboxRules = `
was(P, S)@next :- at(P, S);
heard(Q, P) :- in(Q, P, _, _);
inbox(Q, P, X) :- in(Q, P, X, _);
inbox(Q, P, "-") :- was(Q, _), peer(P)@1, notin heard(Q, P);
`
	stepRules = `
moves(P, S, Next, F) :- was(P, S), %[1]s, step(P, S, %[2]s, Next, F);
at(P, Next) :- moves(P, _, Next, _);
`
)

// factRules say what is reported, and until which round a process is there to report
// it: who has crashed goes on here, but nobody hears of it.
const factRules = `
reported(P, F, N - 1) :- moves(P, _, _, F), time(P, N), F != "-";
reported(P, F, R)@next :- reported(P, F, R);
stopped(P, R) :- reported(P, _, R), crash(P, P, T), T <= R;
`

// relationRules give the facts of a relation that are in a set: with variables for
// their arguments.
const relationRules = `
%[1]s(%[3]sR) :- reported(P, F, R), %[2]s(F%[4]s)@1, notin stopped(P, R);
`

// unknownRules say where something happens that is not known: nobody knows how a
// process goes on, or a message comes late.
const unknownRules = `
moved(P, S) :- moves(P, S, _, _);
gone(P) :- crash(P, P, T), time(P, N), T < N;
unknown(P, S) :- was(P, S), notin moved(P, S), notin gone(P);
unknown(Q, X) :- in(Q, _, X, T), time(Q, N), T + 1 != N;
`

// freshRules are about states of which it is not known what is sent in them.
const freshRules = `
leaves(P) :- crash(P, P, T), time(P, N), T <= N;
unknown(P, S) :- at(P, S), fresh(P, S), notin leaves(P);
`
