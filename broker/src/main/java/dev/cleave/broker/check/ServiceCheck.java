package dev.cleave.broker.check;

import dev.cleave.Selection;
import dev.cleave.ValueCodec;
import dev.cleave.call.ExpressionLanguage;
import dev.cleave.call.ExpressionLanguage.Purpose;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Balance;
import dev.cleave.config.Bindings;
import dev.cleave.config.CallBinding;
import dev.cleave.config.Carrier;
import dev.cleave.config.MethodBinding;
import dev.cleave.config.Nearest;
import dev.cleave.config.ReplicaBinding;
import dev.cleave.config.ServiceBinding;
import dev.cleave.config.Style;
import dev.cleave.intercept.ClientInterceptor;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.intercept.ServerInterceptor;
import dev.cleave.rmi.RmiInterfaces;
import dev.cleave.transport.Transport;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looks up what the file says of one service: its classes, their methods and parameters. */
final class ServiceCheck {

    private static final List<Class<?>> INTERCEPTORS =
            List.of(ClientInterceptor.class, ServerInterceptor.class, ContextCarrier.class);

    private final ServiceBinding service;
    private final Bindings bindings;
    private final ClassLookup classes;
    private final FindingList found;
    private final String key;
    private List<RemoteMethod> methods = List.of();
    private @Nullable Class<?> implementation;

    ServiceCheck(ServiceBinding service, Bindings bindings, ClassLookup classes, FindingList found) {
        this.service = service;
        this.bindings = bindings;
        this.classes = classes;
        this.found = found;
        key = "services." + service.name();
    }

    /** The methods of the interface, as its annotations have them; none if it was not found. */
    List<RemoteMethod> methods() {
        return methods;
    }

    List<String> methodNames() {
        return methods.stream()
                .map(method -> method.method().getName())
                .distinct()
                .toList();
    }

    /** The class that implements the service; null if it was not found. */
    @Nullable
    Class<?> implementation() {
        return implementation;
    }

    void check() {
        lists("codecs", service.contract().codecs());
        lists("interceptors", service.interceptors());
        Class<?> contract = contract();
        implementation = implemented(contract);
        if (service.dispatch().balance() instanceof Balance.Chosen chosen) {
            note("balance", helper(chosen.className(), List.of(Selection.class)));
        }
        transport("", service.calls());
        service.methods().forEach((name, method) -> transport("methods." + name + ".", method.call()));
        if (!methods.isEmpty()) {
            service.methods().forEach(this::method);
            ofAllMethods(service.calls());
            keys();
        }
    }

    private void note(String at, String fact) {
        if (!fact.isEmpty()) {
            found.mistake(key + "." + at, fact);
        }
    }

    private void transport(String at, CallBinding call) {
        Carrier carrier = call.traffic().carrier();
        if (carrier != null && carrier.isOwn()) {
            note(at + "transport", helper(carrier.word(), List.of(Transport.class)));
        }
    }

    private void lists(String word, List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            note(
                    word + "[" + i + "]",
                    word.equals("codecs") ? codec(classes, names.get(i)) : helper(names.get(i), INTERCEPTORS));
        }
    }

    /** Says what is wrong with a codec; empty if nothing is. */
    static String codec(ClassLookup classes, String name) {
        return helper(classes, name, List.of(ValueCodec.class));
    }

    private String helper(String name, List<Class<?>> kinds) {
        return helper(classes, name, kinds);
    }

    /** Says what is wrong with a class that is made by its constructor without parameters. */
    private static String helper(ClassLookup classes, String name, List<Class<?>> kinds) {
        Class<?> type = classes.find(name);
        if (type == null) {
            return classes.missing(name);
        }
        if (kinds.stream().noneMatch(kind -> kind.isAssignableFrom(type))) {
            List<String> names = kinds.stream().map(Class::getSimpleName).toList();
            return name + " is no " + String.join(" or ", names) + " (expected: a class that implements it)";
        }
        boolean isMade = !Modifier.isAbstract(type.getModifiers())
                && Arrays.stream(type.getDeclaredConstructors()).anyMatch(each -> each.getParameterCount() == 0);
        return isMade ? "" : name + " cannot be made (expected: a class with a constructor without parameters)";
    }

    private @Nullable Class<?> contract() {
        String name = service.contract().interfaceName();
        if (name == null) {
            if (!service.methods().isEmpty() || service.contract().implementation() != null) {
                found.warning(
                        key,
                        "no interface: neither this check nor the agent knows its methods (expected: interface: ...)");
            }
            return null;
        }
        Class<?> type = classes.find(name);
        if (type == null) {
            note("interface", classes.missing(name));
            return null;
        }
        ServiceBinding plain = new ServiceBinding(
                service.name(),
                service.contract(),
                List.of(),
                service.dispatch(),
                CallBinding.NONE,
                Map.of(),
                List.of());
        Bindings alone = bindings.withServices(Map.of(service.name(), plain));
        try {
            methods = new InterfaceReader(alone).read(service.name(), type).methods();
        } catch (IllegalArgumentException | LinkageError e) {
            if (isOfRmiProgram(type)) {
                methods = RmiInterfaces.read(alone, service.name(), type).methods();
                return type;
            }
            String fact = String.valueOf(e.getMessage());
            if (!fact.startsWith("codecs: ") && !fact.startsWith("allow: ")) { // which are told of where they stand
                note("interface", fact);
            }
        }
        return type;
    }

    /** Whether the file can give styles to the objects of an RMI program: it names no implementation and no replica. */
    private boolean isOfRmiProgram(Class<?> type) {
        return Remote.class.isAssignableFrom(type)
                && service.contract().implementation() == null
                && service.replicas().isEmpty();
    }

    private @Nullable Class<?> implemented(@Nullable Class<?> contract) {
        String name = service.contract().implementation();
        if (name == null) {
            if (!service.replicas().isEmpty()) {
                note("replicas", "no implementation to run in them (expected: implementation: ...)");
            }
            return null;
        }
        Class<?> type = classes.find(name);
        if (type == null) {
            note("implementation", classes.missing(name));
            return null;
        }
        if (contract != null && !contract.isAssignableFrom(type)) {
            note("implementation", name + " does not implement " + contract.getName());
        }
        boolean isMade = !Modifier.isAbstract(type.getModifiers()) && Modifier.isPublic(type.getModifiers());
        boolean takesOptions = false;
        boolean takesNothing = false;
        for (Constructor<?> constructor : type.getConstructors()) {
            takesOptions |= Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {Map.class});
            takesNothing |= constructor.getParameterCount() == 0;
        }
        if (!isMade || !takesOptions && !takesNothing) {
            note(
                    "implementation",
                    name
                            + " cannot be made (expected: a public class with a public constructor that takes nothing, or a Map)");
        }
        List<ReplicaBinding> replicas = service.replicas();
        for (int i = 0; i < replicas.size(); i++) {
            if (isMade && !takesOptions && !replicas.get(i).options().isEmpty()) {
                note(
                        "replicas[" + i + "].options",
                        name + " takes no options (expected: a public constructor with a Map)");
            }
        }
        return type;
    }

    private void method(String name, MethodBinding binding) {
        List<RemoteMethod> named = methods.stream()
                .filter(each -> each.method().getName().equals(name))
                .toList();
        String at = "methods." + name;
        if (named.isEmpty()) {
            note(at, "unknown method " + Nearest.hint(name, methodNames()));
            return;
        }
        CallBinding call = binding.call();
        for (RemoteMethod method : named) {
            later(at, method, call.later());
            calls(at, method, call);
        }
    }

    private void later(String at, RemoteMethod method, @Nullable List<String> later) {
        List<Parameter> parameters = List.of(method.method().getParameters());
        List<String> names = parameters.stream().map(Parameter::getName).toList();
        for (int i = 0; later != null && i < later.size(); i++) {
            String word = later.get(i);
            boolean isNumber = Character.isDigit(word.charAt(0));
            int place = isNumber ? Integer.parseInt(word) - 1 : names.indexOf(word);
            if (place < 0 || place >= names.size()) {
                note(
                        at + ".later[" + i + "]",
                        word + ": no parameter of " + method.label() + " " + Nearest.hint(word, names));
            } else if (parameters.get(place).getType().isPrimitive()) {
                note(
                        at + ".later[" + i + "]",
                        word + " is of type " + parameters.get(place).getType().getName()
                                + " and cannot come later (expected: an array or object)");
            }
        }
    }

    private void ofAllMethods(CallBinding call) {
        methods.forEach(method -> {
            if (!service.methods().containsKey(method.method().getName())) {
                calls("", method, call);
            }
        });
    }

    private void calls(String at, RemoteMethod method, CallBinding call) {
        String prefix = at.isEmpty() ? "" : at + ".";
        String priority = call.priority();
        if (priority != null && !priority.equals(CallBinding.NO_PRIORITY)) {
            note(prefix + "priority", mistake(priority, Purpose.PRIORITY, method));
        }
        if (call.style() == Style.ONE_WAY && method.method().getReturnType() != void.class) {
            note(
                    prefix + "style",
                    "a one-way call has no result, and " + method.label() + " has one (expected: void, is "
                            + method.method().getReturnType().getSimpleName() + ")");
        }
        if (Boolean.TRUE.equals(call.idempotent()) && !method.conduct().idempotent()) {
            found.warning(
                    key + "." + prefix + "idempotent",
                    "true is ignored for " + method.label() + " (expected: @Idempotent in the interface)");
        }
    }

    /** Checks the expression of a policy: at least one method must have its parameters. */
    private void keys() {
        String expression = service.dispatch().balance().keys();
        if (expression != null) {
            List<String> mistakes = new ArrayList<>();
            methods.forEach(method -> mistakes.add(mistake(expression, Purpose.AFFINITY, method)));
            if (!mistakes.contains("")) {
                note("balance", Objects.requireNonNull(mistakes.get(0)));
            }
        }
    }

    private static String mistake(String expression, Purpose purpose, RemoteMethod method) {
        try {
            var unused = ExpressionLanguage.compile(expression, purpose, method);
            return "";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
