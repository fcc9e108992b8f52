package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.Idempotent;
import dev.cleave.OneWay;
import dev.cleave.Priority;
import dev.cleave.Pure;
import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import dev.cleave.Sync;
import dev.cleave.call.RemoteMethod.Conduct;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Bindings;
import dev.cleave.config.CallBinding;
import dev.cleave.config.HedgeAfter;
import dev.cleave.config.MethodBinding;
import dev.cleave.config.Preference;
import dev.cleave.config.ServiceBinding;
import dev.cleave.config.Style;
import dev.cleave.serial.ObjectFormat;
import dev.cleave.serial.TypePolicy;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads remote interfaces: annotations first, the application file over them. Reports every mistake in an interface
 * here, before any call.
 *
 * <p>The file cannot make a method idempotent: only the interface, which both sides share, states what its provider
 * guarantees.
 */
public final class InterfaceReader {

    private static final System.Logger LOG = SafeLog.of(InterfaceReader.class);

    private volatile Bindings bindings;
    private final @Nullable ObjectFormat format;

    /** Creates a reader that applies the bindings of an application file. */
    public InterfaceReader(Bindings bindings) {
        this(bindings, null);
    }

    /**
     * Creates a reader that applies the bindings of an application file, by the names of interfaces too.
     *
     * @param format the format of the objects of all interfaces; null if they are written as always
     */
    public InterfaceReader(Bindings bindings, @Nullable ObjectFormat format) {
        this.bindings = requireNonNull(bindings, "bindings");
        this.format = format;
    }

    /** Applies the bindings of another application file to the interfaces that are read from now on. */
    public void change(Bindings changed) {
        bindings = requireNonNull(changed, "changed");
    }

    /** The name that both sides use for an interface through which objects are called. */
    public String name(Class<?> type) {
        return format == null ? type.getName() : format.remoteName(type);
    }

    /**
     * Reads an interface.
     *
     * @throws IllegalArgumentException if it cannot be called remotely; the message names the method and parameter
     */
    public RemoteInterface read(String service, Class<?> type) {
        requireNonNull(service, "service");
        if (!type.isInterface()) {
            throw new IllegalArgumentException(type.getName() + " is not an interface");
        }
        boolean rmi = java.rmi.Remote.class.isAssignableFrom(type);
        if (!type.isAnnotationPresent(Remote.class) && !rmi) {
            throw new IllegalArgumentException(
                    type.getName() + " is not a remote interface (annotate it with @dev.cleave.Remote)");
        }
        ServiceBinding binding = binding(service, type);
        List<Method> remote = remoteMethods(type);
        checkTwins(type, remote);
        binding.checkMethods(names(remote));
        List<RemoteMethod> methods = new ArrayList<>();
        for (Method method : remote) {
            Conduct conduct = conduct(type, method, binding.call(method.getName()));
            String label = type.getSimpleName() + "." + method.getName();
            CallPlan plan = new CallPlan(
                    type, method, label, binding.call(method.getName()).later(), format != null);
            String key = method.getName() + descriptor(method) + plan.mark();
            if (Suspensions.isSuspending(method)) {
                Suspensions.check(label);
            }
            if (!plan.restored().isEmpty()) {
                conduct = conduct.restoring(label);
            }
            if (conduct.style() == Style.ONE_WAY && method.getReturnType() != void.class) {
                throw new IllegalArgumentException(label + ": a one-way call has no result (expected: void, is "
                        + method.getReturnType().getSimpleName() + ")");
            }
            methods.add(new RemoteMethod(
                    methods.size(),
                    method,
                    label,
                    key,
                    conduct,
                    rule(type, method, binding.call(method.getName())),
                    plan));
        }
        warn(binding, methods);
        if (format != null) {
            return new RemoteInterface(service, type, methods, TypePolicy.of(format.of(type)));
        }
        AllowedTypes values = new AllowedTypes(bindings, type.getClassLoader());
        return new RemoteInterface(
                service,
                type,
                methods,
                TypePolicy.of(
                        roots(type, methods),
                        values.allowed(),
                        values.codecs(binding.contract().codecs())));
    }

    private ServiceBinding binding(String service, Class<?> type) {
        return bindings.service(service)
                .or(() -> format == null
                        ? Optional.empty()
                        : bindings.services().values().stream()
                                .filter(each -> isOf(each, type))
                                .findFirst())
                .orElseGet(() -> ServiceBinding.none(service));
    }

    /** Whether the settings of a service are those of an interface, or of one that it extends. */
    private static boolean isOf(ServiceBinding binding, Class<?> type) {
        String name = binding.contract().interfaceName();
        return type.getName().equals(name)
                || Arrays.stream(type.getInterfaces()).anyMatch(above -> isOf(binding, above));
    }

    /**
     * The methods that are called remotely: all abstract ones. Default methods run where they are called, but those of
     * the objects that RMI has exported are called remotely, as RMI does.
     */
    private List<Method> remoteMethods(Class<?> type) {
        Map<String, Method> methods = new TreeMap<>();
        for (Method method : type.getMethods()) {
            boolean isRemote = Modifier.isAbstract(method.getModifiers()) || format != null && method.isDefault();
            if (isRemote && !isOfObject(method)) {
                String key = method.getName() + descriptor(method);
                Method known = methods.get(key);
                if (known == null || known.getDeclaringClass() != type) {
                    methods.put(key, method);
                }
            }
        }
        return List.copyOf(methods.values());
    }

    private static Set<String> names(List<Method> methods) {
        Set<String> names = new HashSet<>();
        for (Method method : methods) {
            names.add(method.getName());
        }
        return names;
    }

    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static void checkTwins(Class<?> type, List<Method> methods) {
        Set<String> names = names(methods);
        for (String name : names) {
            for (String suffix : List.of(Stub.SEND_SUFFIX, Stub.CHAIN_SUFFIX)) {
                if (names.contains(name + suffix)) {
                    throw new IllegalArgumentException(type.getSimpleName() + "." + name + suffix
                            + ": the name is that of the sending twin of " + name + " (rename it)");
                }
            }
            if (names.contains(name + Stub.LATER_SUFFIX)) {
                throw new IllegalArgumentException(type.getSimpleName() + "." + name + Stub.LATER_SUFFIX
                        + ": the name is that of the later twin of " + name + " (rename it)");
            }
            if (names.contains(name + Stub.ENCODE_SUFFIX)) {
                throw new IllegalArgumentException(type.getSimpleName() + "." + name + Stub.ENCODE_SUFFIX
                        + ": the name is that of the encoding twin of " + name + " (rename it)");
            }
        }
    }

    private Conduct conduct(Class<?> type, Method method, CallBinding file) {
        Boolean said = file.reads().changesNothing();
        boolean marked = marked(type, method, ReadOnly.class) || marked(type, method, Pure.class);
        boolean harmless = said != null ? said : marked;
        boolean idempotent = harmless && marked || marked(type, method, Idempotent.class);
        Style style = marked ? Style.ASYNC : Style.SYNC;
        int window = Conduct.AUTOMATIC_WINDOW;
        String group = "";
        for (AnnotatedElement place : List.of(type, method)) {
            Async async = place.getAnnotation(Async.class);
            Chained chained = place.getAnnotation(Chained.class);
            if (place.isAnnotationPresent(Sync.class)) {
                style = Style.SYNC;
            } else if (async != null) {
                style = Style.ASYNC;
                window = window(async.window());
                group = async.group();
            } else if (chained != null) {
                style = Style.CHAINED;
                window = window(chained.window());
            } else if (place.isAnnotationPresent(OneWay.class)) {
                style = Style.ONE_WAY;
            }
        }
        return new Conduct(
                file.style() != null ? file.style() : style,
                file.window() != null ? file.window() : window,
                idempotent && !Boolean.FALSE.equals(file.idempotent()),
                file.deadline() != null
                        ? file.deadline()
                        : format == null ? Conduct.DEFAULT_DEADLINE : format.deadline(),
                harmless,
                file.group() != null ? file.group() : group,
                file.traffic(),
                file.hedge() != null ? file.hedge() : hedge(type, method));
    }

    private static int window(int said) {
        return said == Async.AUTOMATIC ? Conduct.AUTOMATIC_WINDOW : said;
    }

    /** Warns of methods that the file calls idempotent and the interface does not. */
    private static void warn(ServiceBinding binding, List<RemoteMethod> methods) {
        Set<String> told = new TreeSet<>();
        for (RemoteMethod method : methods) {
            String name = method.method().getName();
            if (Boolean.TRUE.equals(binding.call(name).idempotent())
                    && !method.conduct().idempotent()) {
                MethodBinding own = binding.methods().get(name);
                String place = own != null && own.call().idempotent() != null
                        ? own.place().toString()
                        : "services." + binding.name();
                told.add(place
                        + ": idempotent: true is ignored for " + method.label()
                        + " (expected: @Idempotent in the interface, which its provider shares)");
            }
        }
        told.forEach(text -> LOG.log(System.Logger.Level.WARNING, text));
    }

    private static @Nullable HedgeAfter hedge(Class<?> type, Method method) {
        Idempotent own = method.getAnnotation(Idempotent.class);
        Idempotent said = own != null ? own : type.getAnnotation(Idempotent.class);
        if (said == null || said.hedge().isEmpty()) {
            return null;
        }
        try {
            return HedgeAfter.parse(said.hedge());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    type.getName() + "." + method.getName() + ": hedge: " + e.getMessage(), e);
        }
    }

    private static @Nullable PriorityRule rule(Class<?> type, Method method, CallBinding file) {
        boolean prefersBlocked = file.prefer() == Preference.BLOCKED;
        if (file.priority() != null) {
            boolean isNone = file.priority().equals(CallBinding.NO_PRIORITY);
            return new PriorityRule(isNone ? null : file.priority(), prefersBlocked);
        }
        Priority own = method.getAnnotation(Priority.class);
        Priority said = own != null ? own : type.getAnnotation(Priority.class);
        return said == null ? null : new PriorityRule(said.value(), prefersBlocked);
    }

    private static boolean marked(Class<?> type, Method method, Class<? extends Annotation> annotation) {
        return type.isAnnotationPresent(annotation) || method.isAnnotationPresent(annotation);
    }

    private static List<TypePolicy.Root> roots(Class<?> type, List<RemoteMethod> methods) {
        List<TypePolicy.Root> roots = new ArrayList<>();
        typeArguments(type, type.getSimpleName(), roots);
        for (RemoteMethod method : methods) {
            for (ParameterPlan parameter : method.plan().parameters()) {
                roots.add(new TypePolicy.Root(parameter.sent(), parameter.name()));
            }
            ParameterPlan result = method.plan().result();
            if (result != null) {
                checkFuture(method, result);
                Type sent = result.type() == InputStream.class ? InputStream.class : result.sent();
                if (sent != Void.class) { // of a future: null
                    roots.add(new TypePolicy.Root(sent, result.name()));
                }
            }
            for (Type thrown : method.method().getGenericExceptionTypes()) {
                roots.add(new TypePolicy.Root(thrown, method.label() + ": a declared exception"));
            }
        }
        return roots;
    }

    /** Collects the type arguments that an interface gives to the interfaces that it extends. */
    private static void typeArguments(Class<?> type, String name, List<TypePolicy.Root> roots) {
        for (Type above : type.getGenericInterfaces()) {
            if (above instanceof ParameterizedType p) {
                for (Type argument : p.getActualTypeArguments()) {
                    roots.add(new TypePolicy.Root(argument, name + ": a type argument"));
                }
            }
        }
        for (Class<?> above : type.getInterfaces()) {
            typeArguments(above, name, roots);
        }
    }

    private static void checkFuture(RemoteMethod method, ParameterPlan result) {
        if (method.isFuture() && ParameterPlan.sent(result.sent()) != result.sent()) {
            throw new IllegalArgumentException(
                    result.name() + ": a future of a later value (expected: the later value itself)");
        }
    }

    private static String descriptor(Method method) {
        return java.lang.invoke.MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
    }
}
