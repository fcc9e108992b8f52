package dev.cleave.client;

import dev.cleave.call.Chain;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.Stub;
import dev.cleave.ref.Target;
import dev.cleave.serial.ObjectFormat;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Begins the calls of one stub. Public for generated stubs alone. */
public final class ServiceCalls implements LiveStubs.Stub {

    private final Around around;
    private volatile Calls calls;

    /** The calls as one application file has them. */
    private record Calls(
            CalledService service,
            RemoteMethod[] methods,
            SpareCalls<Outgoing> spare,
            SpareCalls<Encoding> spareEncodings) {

        static Calls of(CalledService service) {
            RemoteMethod[] methods = service.contract().methods().toArray(new RemoteMethod[0]);
            return new Calls(service, methods, new SpareCalls<>(methods.length), new SpareCalls<>(methods.length));
        }
    }

    ServiceCalls(RemoteInterface contract, StubContext side, ServiceRoute route) {
        this(new CalledService(contract, side, route, null), Around.Settings.NONE);
    }

    /** The calls of one object. */
    ServiceCalls(Target target, StubContext side) {
        this(new CalledService(target.contract(), side, new ReferenceRoute(target), target), Around.Settings.NONE);
    }

    private ServiceCalls(CalledService service, Around.Settings settings) {
        calls = Calls.of(service);
        around = new Around(service.publicName(), settings, service.interceptors());
        if (service.target() == null) {
            service.side().stubs().add(this);
        }
    }

    @Override
    public synchronized void change(UnaryOperator<RemoteInterface> changed) {
        CalledService service = calls.service();
        RemoteInterface next = changed.apply(service.contract());
        if (!next.equals(service.contract())) {
            calls = Calls.of(new CalledService(service, next));
        }
    }

    /** Begins a call of the method with an index. */
    public Outgoing begin(int index) {
        Calls now = calls;
        Outgoing known = now.spare.take(index);
        return known != null ? known.again() : new Outgoing(now.service, now.methods[index], now.spare, around);
    }

    /** Begins a call that is sent before its place: its arguments run no code of the program when they are written. */
    public Outgoing beginAhead(int index) {
        Outgoing call = begin(index);
        call.values().aheadOfTheirPlace();
        return call;
    }

    /**
     * Begins a call that is to stand in a chain, before its place: its arguments run no code of the program when they are
     * written, and results that the chain passes on to it are not among them.
     */
    public Outgoing begin(int index, Chain chain) {
        Outgoing call = beginAhead(index);
        call.passes(chain.takePassed(), chain.takeUses());
        return call;
    }

    /** Begins to write the arguments of a call of the method with an index, to be sent later or never. */
    public Encoding encode(int index) {
        Calls now = calls;
        Encoding known = now.spareEncodings.take(index);
        return known != null
                ? known.again()
                : new Encoding(now.service, now.methods[index], now.spareEncodings, around);
    }

    /** Creates a stub of the same target, whose calls have other settings where they are given. */
    public Object adjusted(@Nullable Duration deadline, Map<String, String> attachments) {
        Around.Settings settings = around.settings().with(deadline, attachments);
        return StubFactory.stub(calls.service.contract(), new ServiceCalls(calls.service, settings));
    }

    /** The name of the service. */
    public String service() {
        return calls.service.name();
    }

    /** Describes the stub, for {@code toString}. */
    public String describe() {
        Target target = calls.service.target();
        return target != null
                ? target.toString()
                : calls.service.contract().type().getSimpleName() + " stub of service " + calls.service.name();
    }

    /** Whether all collections that arrive as results, or within results, are of classes of the JDK. */
    public boolean returnsOnlyJdkCollections() {
        return calls.service.contract().policy().allowsOnlyJdkCollections();
    }

    /** Whether no exception of a call has a method of the program for its message, its cause or its text. */
    public boolean throwsOnlyPlainExceptions() {
        return around.isWithoutCode() && calls.service.contract().policy().allowsOnlyPlainThrowables();
    }

    /** Whether all instances of a class that arrive as results, or within results, are of exactly the class of that name. */
    public boolean returnsNoSubclassOf(String name) {
        return around.isWithoutCode() && calls.service.contract().policy().allowsNoSubclassOf(name);
    }

    /** Returns the object that is serialized in the place of a stub. */
    public Object replacement(Stub stub) {
        ObjectFormat format = calls.service.contract().policy().format();
        return format == null ? stub : format.serialized(stub);
    }

    /** The object that the stub leads to, or null if it leads to a service. */
    public @Nullable Object target() {
        return calls.service.target();
    }
}
