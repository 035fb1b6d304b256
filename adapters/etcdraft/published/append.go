package published

import (
	"errors"
	"slices"

	"github.com/lineage-driven/ldfi/adapters/etcd"
)

// onAppend has configurations count from the entry on that is appended.
func onAppend(ownTerm bool) etcd.Option {
	return etcd.Wrap(func(n etcd.Node) etcd.Node { return &appending{Node: n, ownTerm: ownTerm} })
}

// appending is a node that applies the removal of a process as soon as it is in its log,
// and takes it back if another entry comes in its place. It does not know the tail of its
// log after a restart.
type appending struct {
	etcd.Node
	ownTerm         bool         // changes wait for an entry of the leader's term
	config          etcd.Config  // that is in use
	tail            []etcd.Entry // changes that are not committed
	term, committed uint64       // the term, and that of the newest entry that is committed
}

// Restart begins with the configuration that is stored.
func (n *appending) Restart() (etcd.Stored, error) {
	stored, err := n.Node.Restart()
	n.config, n.tail = stored.Config, nil
	return stored, err
}

// ProposeConfChange proposes a change, or drops it.
func (n *appending) ProposeConfChange(change etcd.Change) error {
	if n.ownTerm && n.committed < n.term {
		return errors.New("nothing is committed in this term")
	}
	return n.Node.ProposeConfChange(change)
}

// Ready applies what is appended.
func (n *appending) Ready(do *etcd.Work) error {
	if err := n.Node.Ready(do); err != nil {
		return err
	}
	n.term = do.Term
	for _, e := range n.Node.(interface{ Appended() []etcd.Entry }).Appended() {
		if err := n.append(e); err != nil {
			return err
		}
	}
	for _, e := range do.Committed {
		n.committed = max(n.committed, e.Term)
	}
	return nil
}

// append applies a change in the log, and takes back those in whose place it comes.
func (n *appending) append(e etcd.Entry) error {
	for last := len(n.tail) - 1; last >= 0 && n.tail[last].Index >= e.Index; last-- {
		if err := n.use(back(*n.tail[last].Change)); err != nil {
			return err
		}
		n.tail = n.tail[:last]
	}
	if e.Change == nil || !slices.Contains(n.config.Voters, e.Change.Nodes[0].Node) {
		return nil // a process that is no member is not removed
	}
	n.tail = append(n.tail, e)
	return n.use(*e.Change)
}

func (n *appending) use(change etcd.Change) (err error) {
	n.config, err = n.Node.ApplyConfChange(change)
	return err
}

// back returns the change that takes back a removal.
func back(change etcd.Change) etcd.Change {
	return etcd.Change{Nodes: []etcd.NodeChange{{Op: etcd.AddVoter, Node: change.Nodes[0].Node}}}
}

// ApplyConfChange returns the configuration: the change is in use since it was appended.
func (n *appending) ApplyConfChange(etcd.Change) (etcd.Config, error) { return n.config, nil }
