package zookeeper

import "math/bits"

// history is a set of transactions, by their zxids. Zxid 0, the initial state, is in
// that of every disk.
type history uint16

func (h history) has(zxid int) bool      { return h&(1<<zxid) != 0 }
func (h history) with(zxid int) history  { return h | 1<<zxid }
func (h history) last() int              { return bits.Len16(uint16(h)) - 1 }
func (h history) after(zxid int) history { return h &^ (1<<(zxid+1) - 1) }

// disk is what a server has when it is started again.
type disk struct {
	epoch         int
	snapshot, log history
}

// history returns what is in the snapshot, and in the log after it.
func (d disk) history() history { return d.snapshot | d.log.after(d.snapshot.last()) }
