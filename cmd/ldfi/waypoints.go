package main

import (
	"context"
	"io"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/cobra"
)

func (s *session) waypointsCommand() *cobra.Command {
	var question question
	var output output
	cmd := &cobra.Command{
		Use:   "waypoints FILE... 'FACT'",
		Short: "Propose what to reach on the way to a fact",
		Long: `waypoints proposes intermediates on the way to a fact of a program: facts that hold before it whenever some schedule
within the bounds reaches it, and not under all schedules. It measures how many drawn executions reach the fact without
waypoints, with each, and with all. A bare word in the fact is a string, and _ is anything. A fact without a round is
one of any round.

Exit codes: 0 the fact is reached, 1 no schedule reaches it, 2 wrong usage or input, 3 stopped before that was known.`,
		Example: `  ldfi waypoints 3pc.ded 'decided(tm, "abort", _)'
  ldfi waypoints synod.ded 'accepted(_, 2, _)@9'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := refuse(cmd, "says how a promise is judged, and waypoints asks for a fact in its place", "goals"); err != nil {
				return err
			}
			if err := refuse(cmd, "does not go with waypoints: the rules of a system are not known; name its waypoints in a guide", "system"); err != nil {
				return err
			}
			if len(args) < 2 {
				return errUsage(cmd, cmd.CommandPath()+" needs a file and a fact")
			}
			return needFiles("a file", 1)(cmd, args[:len(args)-1])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files, fact := args[:len(args)-1], args[len(args)-1]
			return s.ask(cmd, &question, files, func(ctx context.Context, o *subject.Opened) error {
				found, err := o.AsProtocol().Model().Waypoints(ctx, fact)
				if err != nil {
					return err
				}
				switch found.Answer {
				case result.Possible:
					s.code = exitHolds
				case result.Impossible:
					s.code = exitViolated
				default:
					s.code = exitInconclusive
				}
				return s.writeResult(output, found, func(w io.Writer) error {
					s.warn(found.Warnings)
					return answertext.Waypoints(found, terminalStyle()).WriteText(w)
				})
			})
		},
	}
	question.addProtocol(cmd.Flags())
	cmd.Flags().Lookup("goals").Hidden = true
	cmd.Flags().String("system", "", "refused: waypoints asks about programs")
	cmd.Flags().Lookup("system").Hidden = true
	output.add(cmd.Flags(), "text", "json")
	return cmd
}
