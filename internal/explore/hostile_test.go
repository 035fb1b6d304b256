package explore_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/stretchr/testify/require"
)

// hostileTexts are strings that a program can have, and that can be pasted.
var hostileTexts = map[string]string{
	"terminal":  "\x1b]0;title\a\x1b[2J\x1b[31mred\x1b[10;10H",
	"controls":  "\x00\b\x7f\u0085\u009b2J\t|",
	"lines":     "x\ny\r\nz\u2028w",
	"direction": "\u202egnp.exe\u2066\u2069 שלום עולם",
	"no width":  "a\u200bb\u2060c\ufeffd\u200de\U000e0041",
	"combining": "e\u0301\u0302\u0303\u0304 क्षि ก็ำ" + strings.Repeat("\u0301", 30),
	"emoji":     "👩‍👩‍👧‍👦🏳️‍🌈👍🏽❤️‍🔥🇩🇪🇩1️⃣",
	"wide":      "日本語テスト한국어全角",
	"long":      strings.Repeat("long", 200),
	"wide long": strings.Repeat("長い", 200),
}

// hostileProcesses are names that processes can have.
var hostileProcesses = []string{"a,b,c", "日本語,👍🏽,e\u0301\u0302", "שלום,क्षि,🇩🇪", "(x),a(1)," + strings.Repeat("n", 300), strings.Repeat("長", 60) + ",[,]"}

// visits are keys that lead through all that there is to see.
var visits = strings.Fields("l l c right i l o n N n 2 f f f f enter w R v 3 down enter t 3 m M a 4 1 pgdown > > < ? pgdown esc y . space u e esc / x enter")

// Whatever a program has in its strings, and whatever its processes are called, a screen of
// any size keeps its form, and nothing on it moves a cursor.
func TestHostileNames(t *testing.T) {
	dir, met := t.TempDir(), 0
	for _, name := range slices.Sorted(maps.Keys(hostileTexts)) {
		text := hostileTexts[name]
		for i, processes := range hostileProcesses {
			if i > 0 && name != "emoji" {
				continue // names and texts need not meet
			}
			names := strings.Split(processes, ",")
			program := hostileProgram(processes, names, text)
			file := filepath.Join(dir, fmt.Sprintf("%s %d.ded", name, i))
			require.NoError(t, os.WriteFile(file, []byte(program), 0o644))
			about := &subject.Protocol{Common: subject.Common{Max: 5}, Files: []string{file}}
			o, err := about.Open(t.Context())
			require.NoError(t, err, "%s %q", name, program)
			e, err := explore.New(t.Context(), o)
			require.NoError(t, err)
			shown := options(file)
			shown.Title = text
			for k, size := range sizes {
				if !*long && k > 0 && k != 1+met%(len(sizes)-1) {
					continue // each text is on the first, and on one other
				}
				p := explore.NewPlayer(t.Context(), e, shown, size.width, size.height)
				for _, key := range visits {
					p.Press(key)
					fits(t, p, size.width, size.height, name, processes, key)
				}
				p.Press("e")
				p.Update(tea.PasteMsg{Content: text})
				fits(t, p, size.width, size.height, name, processes)
				p.Press("enter")
				fits(t, p, size.width, size.height, name, processes)
				require.NoError(t, e.Clear())
			}
			require.NoError(t, o.Close())
			met++
		}
	}
}

// hostileProgram is one in which the first process sends the others a text once.
func hostileProgram(processes string, names []string, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// ldfi: processes=%s eot=4 eff=3 crashes=1\n", processes)
	for _, name := range names[1:] {
		fmt.Fprintf(&b, "peer(\"%s\", \"%s\")@1;\n", names[0], name)
	}
	fmt.Fprintf(&b, "log(\"%s\", \"%s\")@1;\n", names[0], text)
	b.WriteString("peer(A, B)@next :- peer(A, B);\nlog(A, V)@next :- log(A, V);\nlog(B, V)@async :- log(A, V), peer(A, B);\n")
	fmt.Fprintf(&b, "pre(V) :- log(\"%s\", V);\npost(V) :- log(\"%s\", V);\n", names[0], names[len(names)-1])
	return b.String()
}

// sizes are those of screens, down to one that has no room for anything.
var sizes = []struct{ width, height int }{{80, 24}, {40, 20}, {12, 5}, {200, 60}, {1, 1}}
