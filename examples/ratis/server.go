package ratis

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// server is one server. All of its state is in fields of the type local.
type server struct {
	harness Harness
	variant
	number int
	local
}

// local is the state of a server.
type local struct {
	disk
	memory
}

// disk is what a server has when it is started again.
type disk struct {
	term  int     // the largest that it has seen
	voted int     // the last term in which it voted
	log   []entry // never changed in place
}

// memory is what it has not.
type memory struct {
	leads, runs bool // in its term
	silent      int  // for how many rounds it has not heard of a leader, at most 2
	next, match [3]int
	waiting     [requests]bool // whose answers the client waits for here
	replies     []reply
}

// reply is what a server answers in the next round.
type reply struct {
	to      string
	payload any
}

func newServer(number int, h Harness, v variant) *server {
	s := &server{harness: h, variant: v, number: number, local: local{disk: disk{term: 1, voted: 1}}}
	if number == 0 {
		s.lead()
	}
	return s
}

// expires tells whether the timer of a server runs out in a round. In the short harness
// those of rounds 6 and 14 are the first.
func (h Harness) expires(server, round int) bool {
	if !h.Begins && round < 14 {
		return server == 1 && round == 6
	}
	return (round+4)%3 == 0 && server == (round+4)/3%len(servers)
}

// Send sends what a leader or a candidate has to say, and the replies.
func (v *server) Send(s *system.Step) {
	if v.leads {
		v.replicate(s)
	} else if v.silent == 2 && v.harness.expires(v.number, s.Round()) {
		v.run(s)
	}
	for _, r := range v.replies {
		s.Send(r.to, r.payload)
	}
	v.replies = nil
}

// replicate sends each follower its next entry, and takes for granted that it arrives.
func (v *server) replicate(s *system.Step) {
	for i, to := range servers {
		if i == v.number {
			continue
		}
		prev := v.next[i] - 1
		m := appendEntries{Term: v.term, Prev: prev, PrevTerm: v.termAt(prev)}
		if v.next[i] <= len(v.log) {
			m.Entry = v.log[v.next[i]-1]
			v.next[i]++
		}
		s.Send(to, m)
	}
}

// run asks the others for their votes in the next term.
func (v *server) run(s *system.Step) {
	v.term++
	v.voted, v.runs = v.term, true
	for i, to := range servers {
		if i != v.number {
			s.Send(to, requestVote{v.term, len(v.log), v.termAt(len(v.log))})
		}
	}
}

// termAt returns the term of the entry at an index; before the first one it is 0, and
// where there is none it is -1.
func (v *server) termAt(index int) int {
	switch {
	case index == 0:
		return 0
	case index > len(v.log):
		return -1
	default:
		return v.log[index-1].Term
	}
}

// Receive takes what arrived.
func (v *server) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if term := termOf(m.Payload); term > v.term {
			v.follow(term)
		}
	}
	v.silent = min(v.silent+1, 2)
	for _, m := range inbox {
		v.receive(s, m)
	}
	v.report(s)
}

// receive takes one message.
func (v *server) receive(s *system.Step, m system.Message) {
	from := slices.Index(servers, m.From)
	switch p := m.Payload.(type) {
	case ask:
		v.ask(p.Request)
	case appendEntries:
		v.reply(m.From, v.append(p))
	case taken:
		if v.leads && p.Term == v.term {
			v.match[from] = max(v.match[from], p.Match)
			v.commit()
		}
	case refuse:
		if v.leads && p.Term == v.term {
			v.next[from] = min(p.Next, len(v.log)+1)
		}
	case requestVote:
		if v.grants(p) {
			v.voted = p.Term
			v.reply(m.From, vote{p.Term})
		}
	case vote:
		if v.runs && p.Term == v.term {
			v.lead()
		}
	}
}

func (v *server) reply(to string, payload any) {
	v.replies = append(slices.Clip(v.replies), reply{to, payload})
}

// follow goes to a later term, in which the server does not lead.
func (v *server) follow(term int) {
	deposed := v.leads
	v.term, v.leads, v.runs = term, false, false
	if !deposed || v.forgetsClients {
		return
	}
	for i, waits := range v.waiting {
		if waits {
			v.reply(clientName, notLeader{i + 1})
		}
	}
	v.waiting = [requests]bool{}
}

// lead begins to lead in the term of the server, with the vote of another.
func (v *server) lead() {
	v.leads, v.runs = true, false
	for i := range servers {
		v.next[i], v.match[i] = len(v.log)+1, 0
	}
	if v.harness.Begins {
		v.log = append(slices.Clip(v.log), entry{Term: v.term})
	}
}

// ask puts a request into the log, if the server leads.
func (v *server) ask(request int) {
	if !v.leads {
		v.reply(clientName, notLeader{request})
		return
	}
	v.log = append(slices.Clip(v.log), entry{v.term, request})
	v.waiting[request-1] = true
}

// append takes what a leader sends if it has the entry before, and says so, or not.
func (v *server) append(p appendEntries) any {
	if p.Term < v.term {
		return later{v.term}
	}
	v.silent, v.runs = 0, false
	if v.termAt(p.Prev) != p.PrevTerm {
		return refuse{v.term, v.wants(p.Prev)}
	}
	if p.Entry == (entry{}) {
		return taken{v.term, p.Prev}
	}
	if v.termAt(p.Prev+1) != p.Entry.Term {
		v.log = append(slices.Clip(v.log[:p.Prev]), p.Entry)
	}
	return taken{v.term, p.Prev + 1}
}

// wants returns which entry should come after a refusal of what follows another one.
func (v *server) wants(prev int) int {
	if end := len(v.log); v.refusesByEnd || prev > end {
		return end + 1
	}
	return prev
}

// grants tells whether the server votes for a candidate, whose log is not behind its own.
func (v *server) grants(p requestVote) bool {
	if p.Term != v.term || v.voted == p.Term {
		return false
	}
	end := len(v.log)
	return slices.Compare([]int{p.LastTerm, p.Last}, []int{v.termAt(end), end}) >= 0
}

// commit answers what a majority has, up to an entry of the term.
func (v *server) commit() {
	end := len(v.log)
	for end > 0 && !(v.log[end-1].Term == v.term && v.stored(end)) {
		end--
	}
	for _, e := range v.log[:end] {
		if e.Request > 0 && v.waiting[e.Request-1] {
			v.waiting[e.Request-1] = false
			v.reply(clientName, answer{e.Request})
		}
	}
}

// stored tells whether a follower has the entry at an index as well.
func (v *server) stored(index int) bool {
	return slices.ContainsFunc(v.match[:], func(match int) bool { return match >= index })
}

// report reports what the server is in the last round.
func (v *server) report(s *system.Step) {
	if s.Round() != v.harness.Rounds {
		return
	}
	s.Fact("up", v.term)
	if v.leads {
		s.Fact("leads", v.term)
	}
	for i, e := range v.log {
		s.Fact("entry", i+1, e.Term, e.Request)
	}
}

// Restart goes on with what is on the disk. Clients have to ask again.
func (v *server) Restart(*system.Step) {
	v.memory = memory{}
	v.reply(clientName, restarted{})
}
