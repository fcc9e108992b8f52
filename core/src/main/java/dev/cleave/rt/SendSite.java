package dev.cleave.rt;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import dev.cleave.later.LaterArguments;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import org.jspecify.annotations.Nullable;

/**
 * The call site of one send: finds the stub's sending twin by the class of the receiver.
 *
 * <p>The target is a chain of at most four class tests, each with the method of its class. The chain ends in a method
 * that links one more class, or, once there are four, uses a table. It begins with the switch of the site, which costs
 * nothing while it is on; when it is off each send asks again whether it still is.
 */
final class SendSite {

    private static final int DEPTH = 4;
    private static final int CHAIN_AND_RECEIVER = 2;
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodHandle LINK;
    private static final MethodHandle RELINK;
    private static final MethodHandle IS_EXACTLY;
    private static final MethodHandle WRAP;
    private static final MethodHandle BEGUN;
    private static final MethodHandle DECLINE;
    private static final MethodHandle PASS;

    private final String twin;
    private final boolean isChained;
    private final int passed;
    private final int uses;
    private final MethodType type;
    private final Site site;
    private final MutableCallSite callSite;
    private final ClassValue<MethodHandle> targets = new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> receiver) {
            return target(receiver);
        }
    };
    private MethodHandle chain; // guarded by this
    private int depth; // guarded by this

    static {
        try {
            LINK = LOOKUP.findVirtual(SendSite.class, "link", MethodType.methodType(MethodHandle.class, Object.class));
            RELINK = LOOKUP.findVirtual(SendSite.class, "relink", MethodType.methodType(MethodHandle.class));
            IS_EXACTLY = LOOKUP.findStatic(
                    Rt.class, "isExactly", MethodType.methodType(boolean.class, Object.class, Class.class));
            WRAP = LOOKUP.findVirtual(SendSite.class, "wrap", MethodType.methodType(Object.class, Handle.class));
            BEGUN = LOOKUP.findVirtual(
                    SendSite.class, "begun", MethodType.methodType(Object.class, LaterArguments.class));
            PASS = LOOKUP.findStatic(
                    SendSite.class,
                    "pass",
                    MethodType.methodType(void.class, int[].class, int.class, Object.class, Object[].class));
            DECLINE = LOOKUP.findVirtual(SendSite.class, "decline", MethodType.methodType(Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Makes a site that is not linked to any class yet.
     *
     * @param suffix of the stub's twin; with {@link Stub#CHAIN_SUFFIX} the parameter after the receiver is the chain
     */
    SendSite(String name, String suffix, MethodType type, Site site) {
        this(name, suffix, type, site, 0, 0);
    }

    /**
     * Makes a chained site.
     *
     * @param passed the bits of arguments that are preceded by the sent call whose result they may be
     * @param uses for how many arguments of later calls, and nothing else, the result is; 0 if it is for more
     */
    SendSite(String name, String suffix, MethodType type, Site site, int passed, int uses) {
        this.passed = passed;
        this.uses = uses;
        this.twin = name + suffix;
        this.type = type;
        this.isChained = suffix.equals(Stub.CHAIN_SUFFIX);
        this.site = site;
        this.callSite = new MutableCallSite(type);
        this.chain = lookUp();
        callSite.setTarget(switched());
    }

    CallSite callSite() {
        return callSite;
    }

    static boolean isStub(@Nullable Object receiver) {
        return receiver instanceof Stub && Sites.isEnabled();
    }

    /** The target for a receiver; puts it in front of the chain while the chain is short. */
    MethodHandle link(@Nullable Object receiver) {
        if (receiver == null) {
            return declining();
        }
        MethodHandle target = targets.get(receiver.getClass());
        synchronized (this) {
            if (depth < DEPTH) {
                depth++;
                MethodHandle test = MethodHandles.insertArguments(IS_EXACTLY, 1, receiver.getClass())
                        .asType(MethodType.methodType(boolean.class, type.parameterType(0)));
                chain = MethodHandles.guardWithTest(test, target, chain);
                callSite.setTarget(switched());
            }
        }
        return target;
    }

    /** The target for one send when the site was switched off: it may be on again. */
    synchronized MethodHandle relink() {
        if (site.isOff()) {
            return declining();
        }
        callSite.setTarget(switched());
        return chain;
    }

    /** The chain while the site is on. */
    private MethodHandle switched() {
        MethodHandle relinking = MethodHandles.foldArguments(MethodHandles.exactInvoker(type), RELINK.bindTo(this));
        return site.on().guardWithTest(chain, relinking);
    }

    @Nullable
    Object wrap(@Nullable Handle handle) {
        if (handle == null) {
            return decline();
        }
        site.sent();
        return FlightRecorder.call(handle, site);
    }

    Object begun(LaterArguments result) {
        site.sent();
        site.awaited(0, 0);
        return result;
    }

    @Nullable
    Object decline() {
        site.declined();
        return null;
    }

    private MethodHandle target(Class<?> receiver) {
        if (!Stub.class.isAssignableFrom(receiver)) {
            return declining();
        }
        boolean isLater = twin.endsWith(Stub.LATER_SUFFIX);
        MethodType sendType = type.changeReturnType(isLater ? LaterArguments.class : Handle.class);
        int[] sources = sources();
        for (int i = sources.length - 1; i >= 0; i--) {
            sendType = sendType.dropParameterTypes(sources[i], sources[i] + 1);
        }
        sendType = sendType.dropParameterTypes(0, 1);
        if (isChained) {
            sendType = sendType.changeParameterType(0, Chain.class);
        }
        try {
            MethodHandle send = MethodHandles.privateLookupIn(receiver, LOOKUP).findVirtual(receiver, twin, sendType);
            MethodHandle wrapped = MethodHandles.filterReturnValue(send, (isLater ? BEGUN : WRAP).bindTo(this));
            for (int source : sources) {
                wrapped = MethodHandles.dropArguments(wrapped, source, Object.class);
            }
            MethodHandle target = wrapped.asType(type);
            return sources.length == 0 && uses == 0 ? target : MethodHandles.foldArguments(target, passing(sources));
        } catch (ReflectiveOperationException e) {
            return declining();
        }
    }

    /** The places of the sent calls among the parameters of the site. */
    private int[] sources() {
        int[] sources = new int[Integer.bitCount(passed)];
        int found = 0;
        for (int parameter = 0; found < sources.length; parameter++) {
            if ((passed & 1 << parameter) != 0) {
                sources[found] = CHAIN_AND_RECEIVER + parameter + found;
                found++;
            }
        }
        return sources;
    }

    /** {@code (receiver, chain, args...) -> pass(parameters, uses, chain, those at sources)}. */
    private MethodHandle passing(int[] sources) {
        int[] parameters = new int[sources.length];
        int[] order = new int[1 + sources.length];
        order[0] = 1; // the chain
        for (int i = 0; i < sources.length; i++) {
            parameters[i] = sources[i] - CHAIN_AND_RECEIVER - i;
            order[1 + i] = sources[i];
        }
        MethodHandle pass =
                MethodHandles.insertArguments(PASS, 0, parameters, uses).asCollector(Object[].class, sources.length);
        return MethodHandles.permuteArguments(pass, type.changeReturnType(void.class), order);
    }

    /** Tells the chain which results are arguments of the next call, and for how many the result of that one is. */
    static void pass(int[] parameters, int uses, Object chain, @Nullable Object[] sources) {
        ((Chain) chain).isUsedBy(uses);
        for (int i = 0; i < parameters.length; i++) {
            if (sources[i] instanceof SentCall sent) {
                ((Chain) chain).pass(parameters[i], sent.handle());
            }
        }
    }

    private MethodHandle declining() {
        return MethodHandles.dropArguments(DECLINE.bindTo(this), 0, type.parameterList());
    }

    /** {@code (receiver, args...) -> link(receiver).invoke(receiver, args...)}. */
    private MethodHandle lookUp() {
        MethodHandle invoker = MethodHandles.exactInvoker(type);
        MethodHandle link = LINK.bindTo(this).asType(MethodType.methodType(MethodHandle.class, type.parameterType(0)));
        return MethodHandles.foldArguments(invoker, link);
    }
}
