package dev.cleave.client;

import dev.cleave.call.Chain;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.Stub;
import dev.cleave.ref.Target;
import dev.cleave.serial.ObjectFormat;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Begins the calls of one stub. Public for generated stubs alone. */
public final class ServiceCalls {

    private final CalledService service;
    private final RemoteMethod[] methods;
    private final SpareCalls<Outgoing> spare;
    private final SpareCalls<Encoding> spareEncodings;
    private final Around around;

    ServiceCalls(RemoteInterface contract, StubContext side, ServiceRoute route) {
        this(new CalledService(contract, side, route, null), Around.Settings.NONE);
    }

    /** The calls of one object. */
    ServiceCalls(Target target, StubContext side) {
        this(new CalledService(target.contract(), side, new ReferenceRoute(target), target), Around.Settings.NONE);
    }

    private ServiceCalls(CalledService service, Around.Settings settings) {
        this.service = service;
        methods = service.contract().methods().toArray(new RemoteMethod[0]);
        spare = new SpareCalls<>(methods.length);
        spareEncodings = new SpareCalls<>(methods.length);
        around = new Around(service.publicName(), settings, service.interceptors());
    }

    /** Begins a call of the method with an index. */
    public Outgoing begin(int index) {
        Outgoing known = spare.take(index);
        return known != null ? known.again() : new Outgoing(service, methods[index], spare, around);
    }

    /** Begins a call that is sent before its place: its arguments run no code of the program when they are written. */
    public Outgoing beginAhead(int index) {
        Outgoing call = begin(index);
        call.values().aheadOfTheirPlace();
        return call;
    }

    /**
     * Begins a call that is to stand in a chain: results that the chain passes on to it are not among its arguments.
     */
    public Outgoing begin(int index, Chain chain) {
        Outgoing call = begin(index);
        call.passes(chain.takePassed(), chain.takeUses());
        return call;
    }

    /** Begins to write the arguments of a call of the method with an index, to be sent later or never. */
    public Encoding encode(int index) {
        Encoding known = spareEncodings.take(index);
        return known != null ? known.again() : new Encoding(service, methods[index], spareEncodings, around);
    }

    /** Creates a stub of the same target, whose calls have other settings where they are given. */
    public Object adjusted(@Nullable Duration deadline, Map<String, String> attachments) {
        Around.Settings settings = around.settings().with(deadline, attachments);
        return StubFactory.stub(service.contract(), new ServiceCalls(service, settings));
    }

    /** The name of the service. */
    public String service() {
        return service.name();
    }

    /** Describes the stub, for {@code toString}. */
    public String describe() {
        Target target = service.target();
        return target != null
                ? target.toString()
                : service.contract().type().getSimpleName() + " stub of service " + service.name();
    }

    /** Whether all collections that arrive as results, or within results, are of classes of the JDK. */
    public boolean returnsOnlyJdkCollections() {
        return service.contract().policy().allowsOnlyJdkCollections();
    }

    /** Returns the object that is serialized in the place of a stub. */
    public Object replacement(Stub stub) {
        ObjectFormat format = service.contract().policy().format();
        return format == null ? stub : format.serialized(stub);
    }

    /** The object that the stub leads to, or null if it leads to a service. */
    public @Nullable Object target() {
        return service.target();
    }
}
