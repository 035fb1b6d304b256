# What guides can say of networks, Raft and Paxos without rules of their own. A guide has those of these rules that it
# reads, and can give any of the relations by rules that fit its system better. R is the round.

# Messages between P and Q, in either direction; from one side of a partition to another; within one. A guide says
# which side a process is on.
net.between(M, P, Q) :- message(M, P, Q, _, _, _).
net.between(M, P, Q) :- message(M, Q, P, _, _, _).
net.across(M) :- message(M, P, Q, _, _, _), net.side(P, N), net.side(Q, L), N != L.
net.within(M) :- message(M, P, Q, _, _, _), net.side(P, N), net.side(Q, N).

# Raft: what processes report. A leader has the role "leader".
raft.term(P, T, R) :- term(P, T, R).
raft.role(P, Role, R) :- role(P, Role, R).
raft.log(P, Index, T, R) :- log(P, Index, T, R).
raft.commit(P, Index, R) :- commit(P, Index, R).

# At least one process is in term T; N of them are; all are, and report it.
raft.one_in_term(T, R) :- raft.term(_, T, R).
raft.processes_in_term(N, T, R) :- raft.term(P, T, R) |> do fn:group_by(T, R), let N = fn:count().
raft.all_in_term(T, R) :- raft.term(_, T, R), !raft.outside(T, R).
raft.outside(T, R) :- raft.term(_, T, R), process(P), !raft.term(P, T, R).

# Two processes are N terms apart.
raft.term_diff(N, R) :- raft.term(P, T, R), raft.term(Q, S, R), N = fn:minus(T, S), N >= 0.

# A process has the role; in term T; one is the leader, and one a candidate.
raft.process_in_role(Role, R) :- raft.role(_, Role, R).
raft.process_in_role_term(Role, T, R) :- raft.role(P, Role, R), raft.term(P, T, R).
raft.leader_in_term(T, R) :- raft.process_in_role_term("leader", T, R).
raft.one_leader_one_candidate(R) :- raft.role(_, "leader", R), raft.role(_, "candidate", R).

# Some process has committed N entries; every process that reports it has.
raft.commit_entries(N, R) :- raft.commit(_, N, R).
raft.all_committed(N, R) :- raft.commit(_, Index, R) |> do fn:group_by(R), let N = fn:min(Index).

# Some process in term T has committed N entries; the log of some process has N committed entries of term T.
raft.committed_entries_in_term(N, T, R) :- raft.commit(P, N, R), raft.term(P, T, R).
raft.entries_in_term(N, T, R) :- raft.of_term(P, N, T, R).
raft.of_term(P, N, T, R) :- raft.log(P, Index, T, R), raft.commit(P, Last, R), Index <= Last
    |> do fn:group_by(P, T, R), let N = fn:count().

# The logs of two processes end N entries apart; what they have committed does. A process that reports its term and no
# entry has an empty log.
raft.log_diff(N, R) :- raft.last(P, I, R), raft.last(Q, J, R), N = fn:minus(I, J), N >= 0.
raft.last(P, N, R) :- raft.log(P, Index, _, R) |> do fn:group_by(P, R), let N = fn:max(Index).
raft.last(P, 0, R) :- raft.term(P, _, R), !raft.log(P, _, _, R).
raft.log_commit_diff(N, R) :- raft.commit(P, I, R), raft.commit(Q, J, R), N = fn:minus(I, J), N >= 0.

# Paxos: what processes report. Decided is how many entries of the log a process has decided.
paxos.ballot(P, B, R) :- ballot(P, B, R).
paxos.role(P, Role, R) :- role(P, Role, R).
paxos.decree(P, D, R) :- decree(P, D, R).
paxos.log(P, Index, B, R) :- log(P, Index, B, R).
paxos.decided(P, N, R) :- decided(P, N, R).

# Some process is in ballot B; all are; two are N ballots apart; an entry of a log is of ballot B.
paxos.any_ballot(B, R) :- paxos.ballot(_, B, R).
paxos.all_ballot(B, R) :- paxos.ballot(_, B, R), !paxos.outside(B, R).
paxos.outside(B, R) :- paxos.ballot(_, B, R), process(P), !paxos.ballot(P, B, R).
paxos.ballot_diff(N, R) :- paxos.ballot(P, B, R), paxos.ballot(Q, C, R), N = fn:minus(B, C), N >= 0.
paxos.entry_ballot(B, R) :- paxos.log(_, _, B, R).

# A process is the primary in ballot B.
paxos.primary_ballot(B, R) :- paxos.role(P, "primary", R), paxos.ballot(P, B, R).

# Some process is at decree D; has decided N entries; two have decided N entries more and less.
paxos.any_decree(D, R) :- paxos.decree(_, D, R).
paxos.any_decided(N, R) :- paxos.decided(_, N, R).
paxos.decided_diff(N, R) :- paxos.decided(P, I, R), paxos.decided(Q, J, R), N = fn:minus(I, J), N >= 0.
