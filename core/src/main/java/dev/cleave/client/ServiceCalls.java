package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.LinkContext;
import dev.cleave.call.RemoteInterface;
import dev.cleave.serial.Codec;
import java.util.concurrent.Executor;

/** What one stub calls through: begins its calls and knows the way. Public for generated stubs alone. */
public final class ServiceCalls {

    private final RemoteInterface contract;
    private final LinkContext context;
    private final ServiceRoute route;
    private final Executor resends;
    private final Codec codec;
    private final int[] numbers;

    ServiceCalls(RemoteInterface contract, LinkContext context, ServiceRoute route, Executor resends) {
        this.contract = requireNonNull(contract, "contract");
        this.context = requireNonNull(context, "context");
        this.route = requireNonNull(route, "route");
        this.resends = requireNonNull(resends, "resends");
        codec = new Codec(contract.policy(), context.types());
        numbers = contract.methods().stream()
                .mapToInt(m -> context.methodNumber(contract.service(), m.key()))
                .toArray();
    }

    /** Begins a call of the method with an index. */
    public Outgoing begin(int index) {
        return new Outgoing(this, contract.methods().get(index), numbers[index]);
    }

    /** Begins to write the arguments of a call of the method with an index, to be sent later or never. */
    public Encoding encode(int index) {
        return new Encoding(this, contract.methods().get(index), numbers[index]);
    }

    /** The name of the service. */
    public String service() {
        return contract.service();
    }

    /** Describes the stub, for {@code toString}. */
    public String describe() {
        return contract.type().getSimpleName() + " stub of service " + contract.service();
    }

    Codec codec() {
        return codec;
    }

    LinkContext context() {
        return context;
    }

    ServiceRoute route() {
        return route;
    }

    Executor resends() {
        return resends;
    }
}
