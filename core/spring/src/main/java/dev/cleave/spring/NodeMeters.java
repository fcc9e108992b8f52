package dev.cleave.spring;

import dev.cleave.node.Node;
import dev.cleave.rt.SiteCounters;
import dev.cleave.rt.Sites;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToLongFunction;

/** The figures of a node, and of the rewritten calls of its process. */
record NodeMeters(Node node) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("cleave.calls.pending", node, Node::pendingCalls)
                .description("Calls of this node that have not ended")
                .register(registry);
        Gauge.builder("cleave.objects.exported", node, Node::exportedObjects)
                .description("Objects of this node that peers may call")
                .register(registry);
        counter(registry, "cleave.oneway.failures", "One-way calls that have failed", Node::oneWayFailures);
        counter(registry, "cleave.hedges", "Calls also sent to a second replica", Node::hedges);
        counter(registry, "cleave.hedges.won", "Hedges that the second replica answered first", Node::hedgesWon);
        sites(registry, "cleave.sites.sent", "Calls that rewritten code sent", SiteCounters::sends);
        sites(registry, "cleave.sites.declined", "Calls that rewritten code made as written", SiteCounters::declined);
        sites(registry, "cleave.sites.discarded", "Calls sent ahead in vain", SiteCounters::discards);
        Gauge.builder("cleave.sites.inflight.max", () -> Sites.counters().stream()
                        .mapToInt(SiteCounters::maxInFlight)
                        .max()
                        .orElse(0))
                .description("The most calls of one place in flight at once")
                .register(registry);
    }

    private void counter(MeterRegistry registry, String name, String text, ToLongFunction<Node> figure) {
        FunctionCounter.builder(name, node, figure::applyAsLong)
                .description(text)
                .register(registry);
    }

    private void sites(MeterRegistry registry, String name, String text, ToLongFunction<SiteCounters> figure) {
        FunctionCounter.builder(name, node, unused -> Sites.counters().stream()
                        .mapToLong(figure)
                        .sum())
                .description(text)
                .register(registry);
    }
}
