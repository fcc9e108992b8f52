package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Overlap;
import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Remedy;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.List;

/** A report of all that a report can hold. */
final class Samples {

    static final Report REPORT = new Report(
            List.of(
                    new MethodVerdicts(
                            "com.shop.Search",
                            "best",
                            List.of(
                                    new Verdict(41, "Compare.score", Verdict.Outcome.PIPELINED, 64, null),
                                    sequential(
                                                    157,
                                                    new Refusal(
                                                            Rule.R43,
                                                            58,
                                                            "Log.all calls code that the agent does not know",
                                                            "make it final"))
                                            .with(new Remedy("@Pure", Verdict.Outcome.PREFETCHED, 64)))),
                    new MethodVerdicts(
                            "com.shop.Main",
                            "main",
                            List.of(sequential(
                                    7,
                                    new Refusal(
                                            Rule.R16,
                                            7,
                                            "no other call stands near it",
                                            "put it beside another call, or into a loop"))))),
            SiteFigures.parse(
                    "com.shop.Search.best\t41\tCompare.score\t200\t199\t1\t0\t68900000\t1037100000\t16\t0\t0\t0\t\n"),
            Overhead.parse("1106000000\t68900000"),
            List.of());

    /** A report of a nest whose calls strands send. */
    static final Report NEST = new Report(
            List.of(new MethodVerdicts(
                    "com.shop.Bill",
                    "sum",
                    List.of(new Verdict(12, "Shop.orders", Verdict.Outcome.PIPELINED, 64, null)
                            .with(new Overlap(
                                    12,
                                    Overlap.Shape.NEST,
                                    List.of(
                                            new Overlap.Step(
                                                    "com.shop.Bill.sum", 12, "Shop.orders", 1, true, List.of()),
                                            new Overlap.Step(
                                                    "com.shop.Bill.order",
                                                    20,
                                                    "Shop.price",
                                                    2,
                                                    false,
                                                    List.of("Shop.orders"))),
                                    List.of()))))),
            SiteFigures.parse("com.shop.Bill.order\t20\tShop.price\t9\t9\t0\t0\t1000000\t3000000\t9\t0\t0\t0\t\n"),
            null,
            List.of());

    private Samples() {}

    private static Verdict sequential(int line, Refusal refusal) {
        return new Verdict(line, "Stock.level", Verdict.Outcome.SEQUENTIAL, 1, refusal);
    }
}
