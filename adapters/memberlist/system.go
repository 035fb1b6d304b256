package memberlist

import (
	"time"

	"github.com/hashicorp/memberlist"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// Option changes a system.
type Option func(*setting)

type setting struct {
	configure func(*memberlist.Config)
	rejoin    time.Duration
	once      bool
	options   virtual.Options
}

// Rejoin says how often a member joins one that it has lost; without it, every 3 s.
func Rejoin(every time.Duration) Option { return func(s *setting) { s.rejoin = every } }

// Once lets a member join all others once, when it starts, whether that succeeds or not,
// and never again: as a user of the library does who does not know better.
func Once() Option { return func(s *setting) { s.once = true } }

// Machine changes how members are run: the time of a round, which is 100ms otherwise, or
// where logs go.
func Machine(change func(*virtual.Options)) Option { return func(s *setting) { change(&s.options) } }

// System returns members with these names, for 600 rounds of 100ms. The configuration
// is DefaultLANConfig without compression, so that a transport can read packets; configure, which
// may be nil, can change that, and wrap the transport. It is called for each member
// whenever it starts, and here once for the timeouts.
//
// By default there are, in the first 250 rounds, at most two isolations, a partition, a
// crash and a restart.
func System(names []string, configure func(*memberlist.Config), with ...Option) *system.System {
	s := setting{configure: configure, rejoin: 3 * time.Second, options: virtual.Options{Tick: 100 * time.Millisecond}}
	for _, option := range with {
		option(&s)
	}
	s.options.Start = s.start
	faults := rounds.Bounds{Isolations: 2, Crashes: 1, Restarts: 1, Period: 50, EFF: 250}
	if len(names) > 3 {
		faults.Partitions = 1
	}
	return &system.System{
		Name: "memberlist", Processes: names, Rounds: 600,
		New:        virtual.New(s.options),
		Properties: Properties(s.drained(names)),
		Faults:     faults,
	}
}

// config returns the configuration that nobody has changed.
func (s setting) config() *memberlist.Config {
	c := memberlist.DefaultLANConfig()
	c.BindPort, c.AdvertisePort, c.EnableCompression = port, port, false
	return c
}

// drained is after how many rounds nothing is on its way that was sent before: a
// connection lasts for a timeout, by clocks that may be slow.
func (s setting) drained(names []string) int {
	c := s.config()
	c.Transport = &Transport{}
	if len(names) > 0 {
		c.Name = names[0]
	}
	if s.configure != nil {
		s.configure(c)
	}
	return int(c.TCPTimeout*3/2/s.options.Tick) + 10
}
