package cassandra

import "fmt"

// Snapshot and Restore let a search go on from a state.
func (r *replica) Snapshot() any        { return r.local }
func (r *replica) Restore(snapshot any) { r.local = snapshot.(local) }

// Fingerprint names the state.
func (r *replica) Fingerprint() string {
	text := fmt.Sprintf("promised=%d accepted=%v committed=%v", r.promised, r.accepted, r.committed)
	if r.reply != nil {
		text += fmt.Sprintf(" reply=%+v", r.reply)
	}
	if r.proposal != nil {
		text += fmt.Sprintf(" proposal=%v", *r.proposal)
	}
	return text
}
