package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How calls travel: what a method says, what its service says, and the names for both. */
class TrafficTest {

    private static Traffic traffic(String service, String method) {
        String text = "services:\n  s:\n" + service.indent(4) + "    methods:\n      m: {" + method + "}\n";
        return Bindings.parse(text, "cleave.yaml")
                .service("s")
                .orElseThrow()
                .call("m")
                .traffic();
    }

    @Test
    void nothingIsSaidUnlessItIs() {
        assertThat(traffic("style: async", "window: 2")).isEqualTo(Traffic.NONE);
        assertThat(Traffic.NONE.carrierOrAuto()).isEqualTo(Carrier.AUTO);
    }

    @Test
    void methodsGoBeforeTheirService() {
        assertThat(traffic(
                        "transport: tcp\naggregate: {bytes: 1KiB, delay: 1ms}",
                        "transport: udp, aggregate: {bytes: 64KiB, delay: 50us}"))
                .isEqualTo(new Traffic(Carrier.UDP, new Aggregate(64 << 10, Duration.ofNanos(50_000))));
        assertThat(traffic("transport: tcp\naggregate: {bytes: 1KiB, delay: 1ms}", ""))
                .isEqualTo(new Traffic(Carrier.TCP, new Aggregate(1 << 10, Duration.ofMillis(1))));
    }

    @Test
    void whatIsNotSaidOfAnAggregateIsTheUsual() {
        assertThat(traffic("aggregate: {bytes: 512B}", "").aggregate())
                .isEqualTo(new Aggregate(512, Aggregate.USUAL_DELAY));
        assertThat(traffic("aggregate: {delay: 0us}", "").aggregate())
                .isEqualTo(new Aggregate(Aggregate.USUAL_BYTES, Duration.ZERO));
    }

    @Test
    void formsOfCommunicationAreNamesForBoth() {
        assertThat(traffic("communication: intermittent", ""))
                .isEqualTo(new Traffic(Carrier.UDP, new Aggregate(1, Duration.ZERO)));
        assertThat(traffic("communication: auto", "")).isEqualTo(new Traffic(Carrier.AUTO, Aggregate.MEASURED));
        assertThat(traffic("communication: incremental", ""))
                .isEqualTo(new Traffic(Carrier.AUTO, new Aggregate(4 << 10, Duration.ofNanos(50_000))));
        assertThat(traffic("communication: bulk", ""))
                .isEqualTo(new Traffic(Carrier.AUTO, new Aggregate(64 << 10, Duration.ofMillis(1))));
    }

    @Test
    void whatIsSaidBesideAFormGoesBeforeIt() {
        assertThat(traffic("communication: bulk\ntransport: tcp", "").carrier()).isEqualTo(Carrier.TCP);
        assertThat(traffic("transport: tcp", "communication: intermittent").carrier())
                .isEqualTo(Carrier.UDP);
    }

    @Test
    void onRouteRelayNobodyIsDialled() {
        String service = "services:\n  s:\n    route: relay\n";

        assertThatThrownBy(() -> Bindings.parse(service + "    transport: udp\n", "cleave.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "cleave.yaml:4: services.s.transport: udp on route relay, where calls take the connection to"
                                + " the broker (expected: route: direct)");
        assertThatThrownBy(() -> Bindings.parse(service + "    methods:\n      m: {transport: unix}\n", "cleave.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("services.s.methods.m.transport: unix on route relay");
    }
}
