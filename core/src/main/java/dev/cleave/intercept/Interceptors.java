package dev.cleave.intercept;

import java.util.ArrayList;
import java.util.List;

/**
 * What stands around the calls of a node or of one of its services, each in its order.
 *
 * @param clients around calls that its stubs make
 * @param servers around methods of its objects
 * @param carriers carry context on both sides
 */
public record Interceptors(
        List<ClientInterceptor> clients, List<ServerInterceptor> servers, List<ContextCarrier> carriers) {

    /** Nothing. */
    public static final Interceptors NONE = new Interceptors(List.of(), List.of(), List.of());

    /** Copies its components. */
    public Interceptors {
        clients = List.copyOf(clients);
        servers = List.copyOf(servers);
        carriers = List.copyOf(carriers);
    }

    /**
     * Returns these, followed by an object that is one or several of {@link ClientInterceptor}, {@link ServerInterceptor} and
     * {@link ContextCarrier}.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    public Interceptors and(Object next) {
        if (!(next instanceof ClientInterceptor
                || next instanceof ServerInterceptor
                || next instanceof ContextCarrier)) {
            throw new IllegalArgumentException("interceptor: " + next.getClass().getName()
                    + " (expected: a ClientInterceptor, ServerInterceptor or ContextCarrier)");
        }
        return new Interceptors(
                next instanceof ClientInterceptor client ? more(clients, client) : clients,
                next instanceof ServerInterceptor server ? more(servers, server) : servers,
                next instanceof ContextCarrier carrier ? more(carriers, carrier) : carriers);
    }

    private static <T> List<T> more(List<T> known, T next) {
        List<T> all = new ArrayList<>(known);
        all.add(next);
        return all;
    }
}
