package advise

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
)

// resend sends what a rule sends again in every round, until whoever is to have it has
// said so.
func (w *writer) resend(r *syntax.Rule) (part, bool) {
	c, ok := columnsOf(r)
	location := r.Location()
	if !ok || location == nil {
		return part{}, false
	}
	here := location.String()
	h, again := r.Head.Relation, w.numbered("again_", r)
	kept, made := []string{here}, []string{here}
	for i, name := range c.names {
		_, constant := r.Head.Args[i].(*syntax.Constant)
		if i == 0 && c.free || constant || slices.Contains(kept, name) {
			continue
		}
		kept, made = append(kept, name), append(made, c.made[i])
	}
	acks := w.acks(r.Head.Relation, c.names)
	return part{kind: resend, text: h + " is sent again in every round to whoever has not acknowledged it", rules: append([]string{
		rule(atom(again, made...), "", body(r)),
		rule(atom(again, kept...), "@next", atom(again, kept...)),
		rule(atom(h, c.names...), "@async", atom(again, kept...), "notin "+atom(w.got(h), append([]string{here}, c.names...)...)),
	}, acks...)}, true
}

// got is the relation of acknowledgements: its first column has them, its second gave
// them.
func (w *writer) got(relation string) string { return w.fresh("got_" + relation) }

// acks are the rules by which a process tells all others what it has.
func (w *writer) acks(relation string, columns []string) []string {
	columns = apart(columns)
	all := append([]string{variable(columns, "S", "To")}, columns...)
	return []string{
		rule(atom(w.got(relation), all...), "@async", atom(relation, columns...)),
		rule(atom(w.got(relation), all...), "@next", atom(w.got(relation), all...)),
	}
}

// apart gives columns names of their own, where they are constants or two are the same.
func apart(columns []string) []string {
	args := make([]syntax.Expr, len(columns))
	for i, name := range columns {
		if args[i] = (&syntax.Variable{Name: name}); name[0] == '"' || name[0] == '-' || '0' <= name[0] && name[0] <= '9' {
			args[i] = &syntax.Wildcard{}
		}
	}
	return generic(&syntax.Atom{Args: args})
}

// relay lets whoever has what a rule sends send it to all.
func (w *writer) relay(r *syntax.Rule) (part, bool) {
	if len(r.Head.Args) == 0 || w.missed(r.Head.Relation) {
		return part{}, false
	}
	has := generic(&r.Head)
	to := append([]string{variable(has, "Q", "R", "S")}, has[1:]...)
	h := r.Head.Relation
	return part{kind: relay, text: "whoever has " + h + " sends it to all", rules: []string{rule(atom(h, to...), "@async", atom(h, has...))}}, true
}

// missed tells whether the program acts on the lack of a relation, as on that of a
// heartbeat: what others say in place of who has fallen silent, or what is remembered of
// him, would hide that.
func (w *writer) missed(relation string) bool {
	return slices.ContainsFunc(w.program.Rules, func(r *syntax.Rule) bool {
		return r.Head.Relation != relation && slices.ContainsFunc(r.Body, func(t syntax.Term) bool {
			return t.Negated && t.Atom.Relation == relation
		})
	})
}

// everybody sends to all what a rule sends to one.
func (w *writer) everybody(r *syntax.Rule) (part, bool) {
	c, ok := columnsOf(r)
	if !ok || c.free || r.Location() == nil {
		return part{}, false
	}
	to := append([]string{variable(r.Variables(), "Q", "R", "S")}, c.made[1:]...)
	h := r.Head.Relation
	return part{kind: everybody, text: h + " is sent to everybody, so that others act on it too", rules: []string{rule(atom(h, to...), "@async", body(r))}}, true
}

// through lets others pass on what a rule sends, in every round.
func (w *writer) through(r *syntax.Rule) (part, bool) {
	c, ok := columnsOf(r)
	if !ok || c.free || r.Location() == nil || w.missed(r.Head.Relation) {
		return part{}, false
	}
	h, copied := r.Head.Relation, w.numbered("copy_", r)
	by := variable(r.Variables(), "Q", "R", "S")
	has := apart(c.names)
	held := append([]string{variable(has, "Q", "R", "S")}, has...)
	return part{kind: through, text: "others have a copy of " + h + " and pass it on in every round", rules: []string{
		rule(atom(copied, append([]string{by}, c.made...)...), "@async", body(r)),
		rule(atom(copied, held...), "@next", atom(copied, held...)),
		rule(atom(h, has...), "@async", atom(copied, held...)),
	}}, true
}

// remember keeps what a relation has.
func (w *writer) remember(head *syntax.Atom) (part, bool) {
	persists := func(r *syntax.Rule) bool { // perhaps only as long as something else is so
		return r.Kind == syntax.Next && r.Head.Relation == head.Relation && slices.ContainsFunc(r.Body, func(t syntax.Term) bool {
			return t.Atom != nil && !t.Negated && t.Atom.Relation == head.Relation
		})
	}
	if len(head.Args) == 0 || w.missed(head.Relation) || slices.ContainsFunc(w.program.Rules, persists) {
		return part{}, false
	}
	has := generic(head)
	h := head.Relation
	return part{kind: remember, text: "who has had " + h + " keeps it", rules: []string{rule(atom(h, has...), "@next", atom(h, has...))}}, true
}

// durable keeps a relation over a restart.
func (w *writer) durable(relation string) part {
	return part{kind: durable, text: relation + " is durable", durable: relation}
}

// acknowledge lets pre wait until so many processes have acknowledged what a rule sends;
// false if pre does not speak of it.
func (w *writer) acknowledge(r *syntax.Rule, promise string, n int) (part, bool) {
	h := r.Head.Relation
	if len(r.Head.Args) == 0 {
		return part{}, false
	}
	has := generic(&r.Head)
	count, enough := w.fresh("count_"+h), w.fresh("enough_"+h)
	who, number := variable(has, "S", "To"), variable(has, "N")
	content := has[1:]
	p := part{kind: acknowledge, text: fmt.Sprintf("the promise changes: it waits until %s have acknowledged %s", text.Plural(n, "process"), h)}
	p.rules = append(w.acks(h, has),
		rule(atom(count, slices.Concat([]string{who}, content, []string{"count<" + has[0] + ">"})...), "", atom(w.got(h), append([]string{who}, has...)...)),
		rule(atom(enough, append([]string{who}, content...)...), "", atom(count, slices.Concat([]string{who}, content, []string{number})...), fmt.Sprint(number, " >= ", n)))
	for _, pre := range w.program.Rules {
		if pre.Head.Relation != promise {
			continue
		}
		speaks := slices.IndexFunc(pre.Body, func(t syntax.Term) bool { return t.Atom != nil && !t.Negated && t.At == 0 && t.Atom.Relation == h })
		if speaks < 0 {
			continue
		}
		columns := []string{"_"}
		for _, e := range pre.Body[speaks].Atom.Args[1:] {
			columns = append(columns, e.String())
		}
		p.instead = append(p.instead, pre)
		p.rules = append(p.rules, rule(pre.Head.String(), pre.Kind.String(), body(pre), atom(enough, columns...)))
	}
	return p, len(p.instead) > 0
}
