package rounds

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Settings are what a schedule has besides faults. They make an execution of a system
// with random choices, timers or goroutines repeatable. They do not count in the size
// of a schedule. Dedalus programs have none.
type Settings struct {
	Seed       Setting // where the random choices of an execution come from
	Reseed     Setting // where the random choices come from in the rounds from ReseedFrom on
	ReseedFrom int     // 0 without a Reseed
	Ticks      Setting // how often the timers tick in a round
	Goroutines Setting // where the order of goroutines comes from
	Reliable   string  // links on which nothing is lost but by crashes, as in "*>m,c>*", sorted
	Start      string  // the rounds in which processes start, as in "a@2,b@7", sorted
	Latency    string  // by how many rounds what is sent on links arrives later than otherwise, as in "a>b 1,b>a 2", sorted
	Requests   string  // which requests of a script are made, as in "3,7..9", sorted, or "none"; "": all
}

// Setting is an optional number. Given tells an explicit 0 from a setting that is
// missing.
type Setting struct {
	Value uint64 // 0 if it is not given
	Given bool
}

// Set returns a setting that is given and has the value.
func Set(value uint64) Setting { return Setting{Value: value, Given: true} }

// maxTicks is the most often that timers can tick in a round.
const maxTicks = 1_000_000

// settingWords are the words for the settings in the text of a schedule.
var settingWords = []string{"seed", "ticks", "goroutines", reliableKey, startKey, latencyKey, requestsKey}

// With returns the settings with those of other in place of theirs, where other
// gives them.
func (s Settings) With(other Settings) Settings {
	if other.Seed.Given {
		s.Seed = other.Seed
	}
	if other.Reseed.Given {
		s.Reseed, s.ReseedFrom = other.Reseed, other.ReseedFrom
	}
	if other.Ticks.Given {
		s.Ticks = other.Ticks
	}
	if other.Goroutines.Given {
		s.Goroutines = other.Goroutines
	}
	if other.Reliable != "" {
		s.Reliable = other.Reliable
	}
	if other.Start != "" {
		s.Start = joinItems(other.Start, s.Start, "@")
	}
	if other.Latency != "" {
		s.Latency = joinItems(other.Latency, s.Latency, " ")
	}
	if other.Requests != "" {
		s.Requests = other.Requests
	}
	return s
}

// reseed returns the setting of the random choices from a round on alone.
func (s Settings) reseed() Settings { return Settings{Reseed: s.Reseed, ReseedFrom: s.ReseedFrom} }

// texts returns the text of each setting that is given.
func (s Settings) texts() []string {
	var texts []string
	add := func(setting Setting, format string, args ...any) {
		if setting.Given {
			texts = append(texts, fmt.Sprintf(format, append([]any{setting.Value}, args...)...))
		}
	}
	add(s.Seed, "seed %d")
	add(s.Reseed, "seed %d from %d", s.ReseedFrom)
	add(s.Ticks, "ticks %d")
	add(s.Goroutines, "goroutines %d")
	if s.Reliable != "" {
		texts = append(texts, reliableKey+" "+s.Reliable)
	}
	if s.Start != "" {
		texts = append(texts, startKey+" "+s.Start)
	}
	if s.Latency != "" {
		texts = append(texts, latencyKey+" "+s.Latency)
	}
	if s.Requests != "" {
		texts = append(texts, requestsKey+" "+s.Requests)
	}
	return texts
}

// String returns the settings as a schedule writes them: "seed 7; ticks 2".
func (s Settings) String() string { return strings.Join(s.texts(), "; ") }

// MarshalText writes what String returns.
func (s Settings) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Settings) UnmarshalText(form []byte) error {
	parsed, err := ParseSchedule(string(form))
	if err != nil {
		return err
	}
	if len(parsed.Faults) > 0 {
		return fmt.Errorf("settings: %s is a fault; the settings are %s", parsed.Faults[0], text.List(settingWords, "and"))
	}
	*s = parsed.Settings
	return nil
}
