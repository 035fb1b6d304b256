package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/ratis"
	"github.com/lineage-driven/ldfi/examples/zookeeper"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

const tables = "tables.md" // beside the pages of the bugs

// TestTables makes Tables 2 to 7 of "Testing consensus implementations using
// communication closure" with the systems here, and prints the published figures beside:
//
//	go test ./internal/testing/catalogue -run TestTables -v -args -long
//
// Each cell is then of 1,000 executions, as in the source, and with -update the tables are
// written into the page. Without -long there are a few.
func TestTables(t *testing.T) {
	n := 20
	if *long {
		n = 1000
	}
	text, err := os.ReadFile(pages + tables)
	require.NoError(t, err)
	page := string(text)
	for _, table := range []struct {
		name string
		of   func(t *testing.T, n int) string
	}{
		{"table 2", tableTwo}, {"table 3", tableThree}, {"table 4", tableFour}, {"table 5", tableFive}, {"table 6", tableSix}, {"table 7", tableSeven},
	} {
		made := table.of(t, n)
		t.Logf("%s\n%s", table.name, made)
		page = replace(t, page, table.name, made)
	}
	if *update && *long {
		require.NoError(t, os.WriteFile(pages+tables, []byte(page), 0o644))
	}
}

// executions runs a system so many times, under schedules that are drawn.
func executions(t *testing.T, s *system.System, n int, draw func(*rand.Rand) rounds.Schedule, look func(*recording.Execution)) {
	t.Helper()
	r := s.NewRunner()
	r.Options.Record, r.Options.FactsOnly = true, true
	for i := range n {
		schedule := draw(rand.New(rand.NewPCG(1, uint64(i))))
		schedule.Settings.Reliable = strings.Join(s.Faults.Reliable, ",")
		require.NoError(t, r.Run(t.Context(), schedule))
		look(r.Execution())
	}
}

// violations counts the executions that break each property of a system.
func violations(t *testing.T, s *system.System, n int, draw func(*rand.Rand) rounds.Schedule) []int {
	t.Helper()
	counts := make([]int, len(s.Properties))
	executions(t, s, n, draw, func(e *recording.Execution) {
		for i, p := range s.Properties {
			found, err := p.Check(e)
			require.NoError(t, err)
			if len(found) > 0 {
				counts[i]++
			}
		}
	})
	return counts
}

// A way is one to cut processes off.
type way struct {
	unit int // see sampler
	as   func([]span) rounds.Schedule
}

// The kinds of instrumentation of the source. A phase has two logical rounds; in the two
// coarse kinds servers are struck when a phase begins, and when it has its request.
var (
	heavy = way{1, isolated}
	light = way{ratis.Long.Phase / 2, isolated}
	block = way{ratis.Long.Phase / 2, blocked}
	kill  = way{ratis.Long.Phase / 2, killed}
)

// servers are those of Ratis.
var servers = []string{"s0", "s1", "s2"}

// ratisFaults are in the four phases of the requests, which are the eight rounds of the
// source.
func ratisFaults(w way, d int) func(*rand.Rand) rounds.Schedule {
	s := sampler{processes: servers, rounds: ratis.Long.Faulty(), period: ratis.Long.Phase, unit: w.unit}
	return func(r *rand.Rand) rounds.Schedule { return w.as(s.draw(r, d)) }
}

// ratises are the variants of Ratis with the names of the source.
var ratises = []struct {
	name   string
	system *system.System
	kept   []int // the places of the properties that it keeps here
}{
	{"gRPC", ratis.Long.GRPC(), []int{0}},
	{"Netty", ratis.Long.Netty(), []int{0, 1}},
}

// cells has a figure for each property of each variant of Ratis, in each column.
type cells [2][3][]int

// ratisCells measures columns, and that nothing is broken without the bugs.
func ratisCells(t *testing.T, n, columns int, draw func(column int) func(*rand.Rand) rounds.Schedule) (all cells) {
	t.Helper()
	for column := range columns {
		for i, v := range ratises {
			counts := violations(t, v.system, n, draw(column))
			for p, count := range counts {
				all[i][p] = append(all[i][p], count)
			}
			for _, p := range v.kept {
				require.Zero(t, counts[p], "%s breaks P%d", v.name, p+1)
			}
		}
		require.Equal(t, []int{0, 0, 0}, violations(t, ratis.Long.Fixed(), n, draw(column)))
	}
	return all
}

// A line is of one kind of fault, with the cells of the source and those from here.
type line struct {
	name string
	of   []cells
}

// broken are the variants and properties, by their places, that some execution here breaks.
var broken = [][2]int{{0, 1}, {0, 2}, {1, 2}}

// ratisTable has a line for each property that breaks and each kind of fault.
func ratisTable(head string, columns []string, lines ...line) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n|---|%s\n", head, strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, place := range broken {
		for _, l := range lines {
			var figures [][]int
			for _, c := range l.of {
				figures = append(figures, c[place[0]][place[1]])
			}
			fmt.Fprintf(&b, "| %s P%d%s | %s |\n", ratises[place[0]].name, place[1]+1, l.name, side(figures...))
		}
	}
	return b.String()
}

// side has the figures of each column side by side.
func side(figures ...[]int) string {
	columns := make([]string, len(figures[0]))
	for i := range columns {
		var all []string
		for _, f := range figures {
			all = append(all, fmt.Sprint(f[i]))
		}
		columns[i] = strings.Join(all, "/")
	}
	return strings.Join(columns, " | ")
}

// upTo returns the columns d=1 to d=n, or from another one on.
func upTo(from, n int) (columns []string) {
	for d := from; d <= n; d++ {
		columns = append(columns, fmt.Sprintf("d=%d", d))
	}
	return columns
}

func byFaults(t *testing.T, n int, w way) cells {
	t.Helper()
	return ratisCells(t, n, 7, func(column int) func(*rand.Rand) rounds.Schedule { return ratisFaults(w, column+1) })
}

func tableThree(t *testing.T, n int) string {
	ours, any := byFaults(t, n, light), byFaults(t, n, heavy)
	require.Positive(t, ours[0][1][6], "P2 of gRPC with seven isolations")
	require.Positive(t, ours[1][2][6], "P3 of Netty with seven isolations")
	return ratisTable("published/here/any round", upTo(1, 7), line{of: []cells{{
		{{0, 0, 0, 0, 0, 0, 0}, {121, 199, 242, 192, 103, 65, 61}, {0, 0, 2, 5, 22, 64, 111}},
		{{17, 291, 418, 576, 917, 986, 995}, {362, 592, 710, 778, 958, 989, 995}, {151, 285, 331, 472, 888, 984, 992}},
	}, ours, any}})
}

func tableFour(t *testing.T, n int) string {
	return ratisTable("published/here", upTo(1, 7), line{", blocked", []cells{{
		{{0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0}, {0, 1, 16, 88, 182, 366, 523}},
		{{0, 0, 2, 0, 0, 0, 0}, {0, 0, 1, 1, 0, 2, 9}, {0, 9, 69, 159, 262, 497, 620}},
	}, byFaults(t, n, block)}}, line{", killed", []cells{{
		{{0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 12, 23, 47, 57}, {0, 18, 110, 197, 205, 276, 319}},
		{{0, 0, 1, 3, 1, 3, 7}, {0, 0, 1, 0, 0, 0, 0}, {0, 16, 11, 96, 93, 118, 79}},
	}, byFaults(t, n, kill)}})
}

func tableFive(t *testing.T, n int) string {
	probabilities := []float64{0.125, 0.25, 0.5}
	var columns []string
	for _, p := range probabilities {
		columns = append(columns, fmt.Sprintf("p=%g", p))
	}
	ours := ratisCells(t, n, len(probabilities), func(column int) func(*rand.Rand) rounds.Schedule {
		return func(r *rand.Rand) rounds.Schedule {
			return dropped(r, servers, ratis.Long.Faulty(), probabilities[column])
		}
	})
	return ratisTable("published/here", columns, line{of: []cells{{
		{{1, 2, 6}, {0, 1, 25}, {0, 2, 155}},
		{{994, 971, 497}, {998, 983, 462}, {999, 996, 179}},
	}, ours}})
}

// tableSix is of ZooKeeper and its harness H_div, and tableSeven of its harness H_sc.
func tableSix(t *testing.T, n int) string {
	return zookeeperTable(t, n, zookeeper.Diverging(), []int{0, 0, 0, 2, 2, 0, 5, 4, 3, 0})
}

func tableSeven(t *testing.T, n int) string {
	return zookeeperTable(t, n, zookeeper.Both(), []int{0, 0, 0, 2, 1, 2, 2, 5, 6, 0, 0, 0, 0, 0, 0, 0})
}

// zookeeperTable has the executions whose servers differ in the end, for d=0 and more.
// Nothing is chosen, so that no order of the requests is missing.
func zookeeperTable(t *testing.T, n int, s *system.System, published []int) string {
	var any, phases []int
	for d := range published {
		draw := func(unit int) int {
			sample := sampler{processes: s.Processes, rounds: s.Faults.EFF - 1, period: s.Faults.Period, unit: unit}
			counts := violations(t, s, n, func(r *rand.Rand) rounds.Schedule { return isolated(sample.draw(r, d)) })
			for _, other := range counts[1:] {
				require.Zero(t, other)
			}
			return counts[0]
		}
		any, phases = append(any, draw(1)), append(phases, draw(s.Faults.Period))
	}
	require.Zero(t, any[0]+any[1]+phases[0]+phases[1]+phases[2], "it takes two isolations, or three that begin with phases")
	return fmt.Sprintf("| published/phases/any round | %s |\n|---|%s\n| divergence | %s |\n",
		strings.Join(upTo(0, len(published)-1), " | "), strings.Repeat("---|", len(published)), side(published, phases, any))
}

// tableTwo is of Cassandra, whose rounds are counted until the third transaction is done.
func tableTwo(t *testing.T, n int) string {
	var b strings.Builder
	b.WriteString("| published/here | rounds | with a quorum | phases | with a quorum | messages | buggy |\n|---|---|---|---|---|---|---|\n")
	for _, c := range []struct {
		k, d      int
		published string
	}{
		{1, 8, "21.67 18.14 3.61 2.87 49.13 0"}, {2, 8, "21.60 18.07 3.60 2.87 48.87 0"}, {4, 8, "22.80 17.53 3.80 2.64 46.76 0"},
		{6, 8, "22.86 17.10 3.81 2.63 44.78 2"}, {8, 8, "23.71 6.61 3.95 1.03 20.23 0"}, {10, 8, "23.81 6.36 3.97 0.94 19.60 0"},
		{6, 3, "19.08 18.08 3.18 3.00 48.47 0"}, {6, 4, "20.11 18.29 3.35 2.99 48.62 0"}, {6, 5, "20.91 18.17 3.48 2.93 47.90 1"},
		{6, 6, "21.69 17.98 3.61 2.86 47.13 1"}, {6, 10, "23.61 15.72 3.93 2.31 41.83 1"},
	} {
		total := transactions(t, n, c.k, c.d)
		fmt.Fprintf(&b, "| k=%d, d=%d", c.k, c.d)
		for i, published := range strings.Fields(c.published) {
			if ours := float64(total[i]); i < 5 {
				fmt.Fprintf(&b, " | %s/%.2f", published, ours/float64(n))
			} else {
				fmt.Fprintf(&b, " | %s/%g", published, ours)
			}
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// transactions adds up what Table 2 has of each execution.
func transactions(t *testing.T, n, k, d int) (total [6]int) {
	t.Helper()
	const phase = 6
	s := cassandra.Buggy()
	sample := sampler{processes: s.Processes, rounds: s.Rounds, period: k, unit: 1}
	r := s.NewRunner()
	r.Options.Record = true
	for i := range n {
		cut := sample.draw(rand.New(rand.NewPCG(1, uint64(i))), d)
		require.NoError(t, r.Run(t.Context(), isolated(cut)))
		e := r.Execution()
		last := s.Rounds
		replicas := make(map[int]int) // that commit something, by phase
		for _, f := range e.Facts {
			if f.Relation == "done" && f.Args[1].Int() == 3 {
				last = min(last, f.Round)
			}
			if f.Relation == "committed" {
				replicas[(f.Round-1)/phase]++
			}
		}
		total[0] += last
		total[2] += last / phase
		for round := 1; round <= last; round++ {
			if away(cut, round) <= 1 {
				total[1]++
			}
			if round%phase == 0 && replicas[round/phase-1] > 1 {
				total[3]++
			}
		}
		for _, m := range e.Messages {
			if m.Round <= last && !m.Lost {
				total[4]++
			}
		}
		found, err := cassandra.NoReturn.Check(e)
		require.NoError(t, err)
		if len(found) > 0 {
			total[5]++
		}
	}
	return total
}

// away counts the processes that are cut off in a round.
func away(all []span, round int) (n int) {
	for _, c := range all {
		if c.from <= round && round <= c.until {
			n++
		}
	}
	return n
}
