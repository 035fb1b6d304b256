package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"strings"
)

//go:embed assets
var assets embed.FS

// The scripts of a page in the order in which they are joined: what draws, and before it
// the library that lays out graphs.
var (
	library = []string{"dagre/dagre.min.js.LEGAL.txt", "dagre/dagre.min.js"}
	scripts = []string{"element.js", "copy.js", "landing.js", "data.js", "circuit.js", "list.js", "diagram.js", "rounds.js", "summary.js", "source.js", "lineage.js", "sets.js", "proof.js", "faults.js", "keys.js", "main.js"}
	styles  = []string{"page.css"}
)

// joined returns files of assets as one text.
func joined(names []string) (string, error) {
	var all strings.Builder
	for _, name := range names {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return "", fmt.Errorf("a part of the page is missing: %w", err)
		}
		before, _, _ := strings.Cut(string(text), "//# sourceMappingURL=") // nothing is to be loaded
		all.WriteString(before)
	}
	return all.String(), nil
}

// parts are what a page has besides its data.
type parts struct{ style, library, script string }

func readParts() (p parts, err error) {
	for _, part := range []struct {
		to    *string
		names []string
	}{{&p.style, styles}, {&p.library, library}, {&p.script, scripts}} {
		if *part.to, err = joined(part.names); err != nil {
			return parts{}, err
		}
	}
	p.script = "'use strict';(() => {\n" + p.script + "})();\n"
	return p, nil
}

// policy lets these parts run and nothing else, and nothing be loaded or sent.
func (p parts) policy() string {
	return fmt.Sprintf("default-src 'none'; script-src '%s' '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", hash(p.library), hash(p.script), hash(p.style))
}

// hash is how a policy names an inline script or style.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
