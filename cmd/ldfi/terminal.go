package main

import (
	"strings"

	"github.com/fatih/color"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// terminalStyle paints answers on a terminal that wants colour.
func terminalStyle() diagram.Style {
	return diagram.Style{Fault: paint(color.FgRed), Strong: paint(color.Bold), Faint: paint(color.Faint)}
}

func paint(attribute color.Attribute) func(string) string {
	return func(text string) string { return color.New(attribute).Sprint(text) }
}

// colours are the control sequences of colours, none except on a terminal that wants
// colour.
func colours() []string {
	var all []string
	style := terminalStyle()
	for _, paint := range []func(string) string{style.Strong, style.Faint, style.Fault} {
		begin, end, _ := strings.Cut(paint("|"), "|")
		if begin != "" {
			all = append(all, begin, end)
		}
	}
	return all
}
