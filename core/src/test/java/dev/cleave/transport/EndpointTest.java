package dev.cleave.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointTest {

    private static final Endpoint ONE = new Endpoint("tcp", "host", 7, "me");

    @Test
    void equalEndpointsHaveTheSameHash() {
        Endpoint same = Endpoint.parse("cleave://me@host:7");

        assertEquals(ONE, same);
        assertEquals(ONE.hashCode(), same.hashCode());
        assertEquals(Endpoint.tcp("host", 7), new Endpoint("tcp", "host", 7));
        assertEquals(Endpoint.tcp("host", 7).hashCode(), new Endpoint("tcp", "host", 7).hashCode());
    }

    @Test
    void eachComponentTellsEndpointsApart() {
        List<Endpoint> others = List.of(
                new Endpoint("unix", "host", 7, "me"),
                new Endpoint("tcp", "other", 7, "me"),
                new Endpoint("tcp", "host", 8, "me"),
                new Endpoint("tcp", "host", 7, "you"),
                new Endpoint("tcp", "host", 7));

        others.forEach(other -> assertNotEquals(ONE, other));
        others.forEach(other -> assertNotEquals(ONE.hashCode(), other.hashCode()));
        assertNotEquals(new Endpoint("tcp", "host", 7), ONE);
    }

    @Test
    void severalEndpointsOfAClusterAreRead() {
        assertEquals(
                List.of(Endpoint.tcp("a", 1), Endpoint.tcp("b", Endpoint.DEFAULT_PORT), Endpoint.tcp("c", 3)),
                Endpoint.parseAll("cleave://a:1, b,cleave://c:3"));
        assertThrows(IllegalArgumentException.class, () -> Endpoint.parseAll("cleave://a,"));
    }
}
