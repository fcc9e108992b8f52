package dev.cleave.agent.cli;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The verdicts that fail a build.
 *
 * @param sequential whether no call may be sequential
 * @param rules the rules that no call may be refused by
 */
record FailOn(boolean sequential, Set<Rule> rules) {

    /**
     * Reads the words of a user: {@code sequential}, or names of rules.
     *
     * @throws IllegalArgumentException if a word is neither
     */
    static FailOn of(List<String> words) {
        boolean sequential = false;
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        for (String word : words) {
            if (word.equalsIgnoreCase("sequential")) {
                sequential = true;
                continue;
            }
            try {
                rules.add(Rule.valueOf(word.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "fail on " + word + " (expected: sequential, or a rule of the report, such as " + Rule.R37
                                + ")",
                        e);
            }
        }
        return new FailOn(sequential, rules);
    }

    /** Returns a sentence for each call that is what it must not be. */
    List<String> brokenBy(List<MethodVerdicts> methods) {
        List<String> broken = new ArrayList<>();
        for (MethodVerdicts method : methods) {
            for (Verdict verdict : method.verdicts()) {
                Refusal refusal = verdict.refusal();
                if (refusal != null && !verdict.isHelpers() && (sequential || rules.contains(refusal.rule()))) {
                    broken.add(verdict.call() + " in " + method.type() + "." + method.method() + ", line "
                            + verdict.line() + ", is "
                            + verdict.outcome().name().toLowerCase(Locale.ROOT) + ": "
                            + refusal.rule() + ", " + refusal.reason());
                }
            }
        }
        return broken;
    }
}
