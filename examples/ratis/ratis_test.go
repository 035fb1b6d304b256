package ratis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/ratis"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// connected says that the client loses nothing.
const connected = "reliable c>*,*>c; "

// logs returns who leads in the end, in which term, and the log of each server, each
// entry as its request and its term: "s1 in 2: 1@2 2@2, ...".
func logs(e *recording.Execution) string {
	leader := "nobody: "
	texts := map[string]string{}
	for _, f := range e.Facts {
		switch f.Relation {
		case "leads":
			leader = fmt.Sprintf("%s in %s: ", f.Args[0].Text(), f.Args[1].Text())
		case "entry":
			texts[f.Args[0].Text()] += fmt.Sprintf(" %s@%s", f.Args[3].Text(), f.Args[2].Text())
		}
	}
	var all []string
	for _, server := range []string{"s0", "s1", "s2"} {
		all = append(all, strings.TrimSpace(texts[server]))
	}
	return leader + strings.Join(all, ", ")
}

const (
	// everywhere is what there is when s0 leads all the time.
	everywhere = "s0 in 1: 1@1 2@1 3@1 4@1, 1@1 2@1 3@1 4@1, 1@1 2@1 3@1 4@1"
	// replaced is what there is when s1 leads, and s0 has replaced its own entries.
	replaced = "s1 in 2: 1@2 2@2 3@2 4@2, 1@2 2@2 3@2 4@2, 1@2 2@2 3@2 4@2"
	// forgotten is that without the entries whose client still waits for s0.
	forgotten = "s1 in 2: 3@2 4@2, 3@2 4@2, 3@2 4@2"
)

// The triggers of the source, which are the smallest fault sets of the protocols.
const (
	deposed = "isolate s0@3..4; isolate s0@5..6"
	partial = deposed + "; isolate s0@11..12"
)

func TestStories(t *testing.T) {
	const unanswered = "P3 answers pre(1), but no post(1) by the end of round 48; P3 answers pre(2), but no post(2) by the end of round 48"
	const behind = "P2 entries pre(s0), but no post(s0) by the end of round 48"
	for _, story := range []struct {
		title, schedule    string
		grpc, netty, fixed string // the logs
		grpcs, nettys      string // what is broken
	}{
		{"without faults each phase adds an entry everywhere", "", everywhere, everywhere, everywhere, "", ""},
		{"a follower that has lost entries gets them later", "isolate s2@3..4; isolate s2@7..8", everywhere, everywhere, everywhere, "", ""},
		{"a leader is cut off with a request, is deposed and says so", deposed, replaced, forgotten, replaced, "", unanswered},
		{"and loses the entry that was to replace its own", partial,
			"s1 in 2: 1@1 2@1, 1@2 2@2 3@2 4@2, 1@2 2@2 3@2 4@2", forgotten, replaced, behind, unanswered},
	} {
		t.Run(story.title, func(t *testing.T) {
			for _, c := range []struct {
				system       *system.System
				logs, broken string
			}{
				{ratis.Short.GRPC(), story.grpc, story.grpcs},
				{ratis.Short.Netty(), story.netty, story.nettys},
				{ratis.Short.Fixed(), story.fixed, ""},
			} {
				schedule := connected + story.schedule
				require.Equal(t, c.logs, logs(systems.Run(t, c.system, schedule)), c.system.Name)
				require.Equal(t, c.broken, strings.Join(systems.Violations(t, c.system, schedule), "; "), c.system.Name)
			}
		})
	}
}

// The leader and the follower with other entries exchange the same messages from the
// last request to the end.
func TestForEver(t *testing.T) {
	e := systems.Run(t, ratis.Short.GRPC(), connected+partial)
	var texts []string // of each round
	for round := 20; round <= ratis.Short.Rounds; round++ {
		text := ""
		for _, m := range e.Messages {
			if m.Round == round && m.From+m.To != "s1s2" && m.From+m.To != "s2s1" {
				text += fmt.Sprintln(m.From, m.To, m.Relation, m.Args)
			}
		}
		texts = append(texts, text)
	}
	require.Len(t, slices.Compact(texts), 1)
	require.Contains(t, texts[0], "s0 s1 refuse")
}

// What breaks the protocols breaks the processes, and what does not does not.
func TestLikeTheProtocols(t *testing.T) {
	for _, c := range []struct {
		protocol, schedule string
		system             *system.System
	}{
		{"ratis_entries", "", ratis.Short.GRPC()},
		{"ratis_entries", deposed, ratis.Short.GRPC()},
		{"ratis_entries", partial, ratis.Short.GRPC()},
		{"ratis_entries_fixed", partial, ratis.Short.Fixed()},
		{"ratis_client", "", ratis.Short.Netty()},
		{"ratis_client", "isolate s0@3..4", ratis.Short.Netty()},
		{"ratis_client", deposed, ratis.Short.Netty()},
		{"ratis_client", "isolate s0@4..6", ratis.Short.Netty()},
		{"ratis_client_fixed", deposed, ratis.Short.Fixed()},
	} {
		breaks := systems.Catalogue(t, c.protocol).Breaks(t, c.schedule)
		require.Equal(t, breaks, len(systems.Violations(t, c.system, connected+c.schedule)) > 0, "%s under %q", c.protocol, c.schedule)
	}
}

// The search by default finds as few faults as the protocols need, and certifies that
// there are none without the bugs, also where there are faults for all four requests.
func TestSearch(t *testing.T) {
	longer := ratis.Short.Fixed()
	longer.Faults.EFF, longer.Faults.Period = 17, 4
	for _, c := range []struct {
		system *system.System
		faults int // 0: there are none
	}{
		{ratis.Short.GRPC(), 3},
		{ratis.Short.Netty(), 2},
		{ratis.Short.Fixed(), 0},
		{longer, 0},
	} {
		systems.RequireLeast(t, c.system, c.faults)
	}
}

// Where each phase has the time for an election, and a leader begins with an entry of its
// own, one isolation is enough for either bug.
func TestLongPhases(t *testing.T) {
	const cutOff = "isolate s0@4..12"
	require.Equal(t, "s1 in 2: 1@1, 0@2 1@2 2@2 3@2 4@2, 0@2 1@2 2@2 3@2 4@2", strings.ReplaceAll(logs(systems.Run(t, ratis.Long.GRPC(), connected+cutOff)), "0@1 ", ""))
	for _, c := range []struct {
		system *system.System
		faults int
	}{{ratis.Long.GRPC(), 1}, {ratis.Long.Netty(), 1}, {ratis.Long.Fixed(), 0}} {
		c.system.Faults.Isolations = 2
		systems.RequireLeast(t, c.system, c.faults)
	}
}

// Servers that are stopped and started again forget whose requests they had, but neither
// their logs nor their votes. A request is asked again then, though it has been written.
func TestRestarts(t *testing.T) {
	const twice = "s0 in 2: 1@1 1@2 2@2 3@2 4@2, 1@1 1@2 2@2 3@2 4@2, 1@1 1@2 2@2 3@2 4@2"
	require.Equal(t, twice, logs(systems.Run(t, ratis.Short.Fixed(), connected+"crash s0@5; restart s0@9")))
	for _, a := range stops("s0") {
		for _, b := range stops("s1") {
			for _, c := range stops("s2") {
				require.Empty(t, systems.Violations(t, ratis.Short.Fixed(), connected+a+b+c), a+b+c)
			}
		}
	}
}

// stops returns the ways to stop a server at the start of a phase and to start it again
// at that of another.
func stops(server string) []string {
	all := []string{""}
	for down := 1; down <= 13; down += 4 {
		for up := down + 4; up <= 17; up += 4 {
			all = append(all, fmt.Sprintf("crash %s@%d; restart %s@%d; ", server, down, server, up))
		}
	}
	return all
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, ratis.Short.GRPC(), ratis.Short.Netty(), ratis.Short.Fixed(), ratis.Long.GRPC(), ratis.Long.Netty(), ratis.Long.Fixed())
}
