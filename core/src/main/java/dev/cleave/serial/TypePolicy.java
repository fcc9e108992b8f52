package dev.cleave.serial;

import dev.cleave.CallException;
import dev.cleave.Later;
import dev.cleave.Remote;
import dev.cleave.ValueCodec;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The types that may travel through one remote interface: types that its signatures name, transitively; value types and
 * exceptions of the JDK; types that the application allows. Immutable.
 *
 * <p>A name that arrives is looked up among classes that are loaded already. Only exceptions of the JDK are ever
 * loaded, from the platform's loader and without initialising them.
 */
public final class TypePolicy {

    private static final int MAX_DIMENSIONS = 16;
    private static final int MOST_VERSIONS = 256;
    private static final JdkThrowables JDK_THROWABLES = new JdkThrowables(ClassLoader.getPlatformClassLoader());

    private final Map<String, Class<?>> concrete;
    private final Map<String, Class<?>> named;
    private final Map<String, Class<?>> remote;
    private final String signature;
    private final boolean allowsOnlyJdkCollections;
    private final boolean allowsOnlyPlainThrowables;
    private final List<ValueCodec<?>> codecs;
    private final boolean replaces;
    private final Map<String, Received> resolved =
            new ConcurrentHashMap<>(); // hits only, so bounded by the number of allowed classes
    private final Map<String, Received> versions = new ConcurrentHashMap<>(); // other than ours; at most MOST_VERSIONS

    private final Set<String> extended; // the names of classes of which others that may travel are subclasses
    private final @Nullable ObjectFormat format;

    private TypePolicy(
            Map<String, Class<?>> concrete,
            Map<String, Class<?>> named,
            Map<String, Class<?>> remote,
            List<ValueCodec<?>> codecs,
            @Nullable ObjectFormat format) {
        this.codecs = List.copyOf(codecs);
        this.format = format;
        this.remote = Map.copyOf(remote);
        boolean oneReplaces = false;
        for (Class<?> type : concrete.values()) {
            oneReplaces |= Replacing.of(type).replaces() != null;
        }
        replaces = oneReplaces;
        signature = remote.isEmpty() ? "" : signature(concrete);
        allowsOnlyJdkCollections = format == null
                && codecs.isEmpty()
                && !replaces
                && Collections.disjoint(remote.values(), ELEMENTS)
                && !haveCollectionOfProgram(concrete.values())
                && !haveCollectionOfProgram(remote.values());
        allowsOnlyPlainThrowables = format == null
                && codecs.isEmpty()
                && !replaces
                && concrete.values().stream()
                        .filter(Throwable.class::isAssignableFrom)
                        .allMatch(PlainThrowables::has);
        this.concrete = Map.copyOf(concrete);
        this.extended = extended(concrete.values());
        this.named = Map.copyOf(named);
    }

    private static boolean haveCollectionOfProgram(Collection<Class<?>> types) {
        for (Class<?> type : types) {
            if (!Jdk.has(type) && isCollection(type)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A type that a signature names.
     *
     * @param type the declared type
     * @param place its place, for messages: {@code Compare.score: parameter 2 (genome)}
     */
    public record Root(Type type, String place) {}

    /**
     * Derives the policy.
     *
     * @param allowed further classes whose instances may travel where a supertype is declared
     * @throws IllegalArgumentException if a type that is named can never be sent; the message has a line for each
     */
    public static TypePolicy of(Collection<Root> roots, Collection<Class<?>> allowed) {
        return of(roots, allowed, List.of());
    }

    /**
     * Derives the policy.
     *
     * @param allowed further classes whose instances may travel where a supertype is declared
     * @param codecs the codecs of the program
     * @throws IllegalArgumentException if a type that is named can never be sent; the message has a line for each
     */
    public static TypePolicy of(Collection<Root> roots, Collection<Class<?>> allowed, List<ValueCodec<?>> codecs) {
        for (ValueCodec<?> codec : codecs) {
            if (codec.type().isPrimitive()
                    || codec.type().isArray()
                    || Jdk.isPlain(codec.type())
                    || codec.type() == Object.class) {
                throw new IllegalArgumentException(codec.getClass().getName() + ": a codec of "
                        + codec.type().getTypeName() + " (expected: of a class or interface that is no simple value)");
            }
        }
        TypeWalk walk = new TypeWalk(codecs);
        for (Class<?> type : allowed) {
            walk.visit(type, "allow: " + type.getName());
        }
        for (Root root : roots) {
            walk.visit(root.type(), root.place());
        }
        Map<String, Class<?>> named = new HashMap<>(walk.named());
        Map<String, Class<?>> concrete = new HashMap<>(walk.concrete());
        for (Class<?> type : JdkTypes.known()) {
            concrete.put(type.getName(), type);
            named.put(type.getName(), type);
        }
        for (Class<?> type : List.of(Object.class, Number.class, Comparable.class, CharSequence.class)) {
            named.put(type.getName(), type);
        }
        concrete.put(Placeholder.class.getName(), Placeholder.class);
        if (!walk.remote().isEmpty()) {
            concrete.put(Reference.class.getName(), Reference.class);
        }
        List<String> mistakes = new ArrayList<>(walk.mistakes());
        for (Root root : roots) {
            unusable(root, concrete.values()).ifPresent(mistakes::add);
        }
        if (!mistakes.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", mistakes));
        }
        return new TypePolicy(concrete, named, walk.remote(), codecs, null);
    }

    /** Returns the policy of an interface whose objects have a format of their own, which decides what may travel. */
    public static TypePolicy of(ObjectFormat format) {
        return new TypePolicy(Map.of(), Map.of(), Map.of(), List.of(), format);
    }

    /** The format of the objects; null if they are written as always. */
    public @Nullable ObjectFormat format() {
        return format;
    }

    /** Says whether values of a declared type may have {@linkplain Later.Value later values} within them. */
    public static boolean hasLaterValues(Type type) {
        TypeWalk walk = new TypeWalk(List.of());
        walk.visit(type, "");
        return walk.named().containsKey(Later.Value.class.getName());
    }

    /** Says whether objects of exactly this class can travel once it is allowed. */
    public static boolean isSendable(Class<?> type) {
        TypeWalk walk = new TypeWalk(List.of());
        walk.visit(type, "");
        return walk.mistakes().isEmpty() && walk.concrete().containsKey(type.getName());
    }

    /** Says why it does not help to allow a class; null if it may. */
    public static @Nullable String uselessToAllow(Class<?> type) {
        if (type.isSealed() || isRemote(type) || Jdk.has(type)) {
            return null; // its permitted classes; references; TypeWalk speaks of the JDK's
        }
        return type.isInterface()
                ? "it is an interface (allow the classes that implement it)"
                : Modifier.isAbstract(type.getModifiers()) && !type.isEnum()
                        ? "it is abstract (allow its subclasses)"
                        : null;
    }

    /** The types whose objects stay in their node and give their elements one by one; earlier ones are preferred. */
    public static final List<Class<?>> ELEMENTS =
            List.of(Stream.class, Flow.Publisher.class, Iterator.class, Iterable.class);

    /** Says whether an interface is remote, so that its objects stay in their node and are called there. */
    public static boolean isRemote(Class<?> type) {
        boolean rmi = java.rmi.Remote.class.isAssignableFrom(type) && type != java.rmi.Remote.class;
        return type.isInterface() && (type.isAnnotationPresent(Remote.class) || rmi);
    }

    /** Says whether the interface names types whose objects travel as references. */
    public boolean hasReferences() {
        return !remote.isEmpty();
    }

    /** The named types whose objects travel as references, by name: remote interfaces, and {@link dev.cleave.Ref}. */
    public Map<String, Class<?>> remote() {
        return remote;
    }

    /**
     * A short text for the allowed types: policies that allow the same types have the same; empty without references.
     */
    public String signature() {
        return signature;
    }

    private static String signature(Map<String, Class<?>> concrete) {
        CRC32C sum = new CRC32C();
        concrete.keySet().stream().sorted().forEach(name -> sum.update((name + '\n').getBytes(StandardCharsets.UTF_8)));
        return concrete.size() + "-" + Long.toHexString(sum.getValue());
    }

    /**
     * Says whether every collection, map and iterator that may travel is of a class of the JDK: none of the program's
     * classes that may travel is one, and no remote interface.
     */
    public boolean allowsOnlyJdkCollections() {
        return allowsOnlyJdkCollections;
    }

    /**
     * Says whether every object that may travel and is an instance of a class is of exactly this class: no class that may travel is a proper
     * subclass, and no code of the program makes objects where values are read.
     *
     * @param name the binary name of the class
     */
    public boolean allowsNoSubclassOf(String name) {
        return format == null && codecs.isEmpty() && !replaces && !extended.contains(name);
    }

    /** The names of the classes of which one of these types is a proper subclass. */
    private static Set<String> extended(Collection<Class<?>> types) {
        Set<String> names = new HashSet<>();
        for (Class<?> type : types) {
            for (Class<?> above = type.getSuperclass(); above != null; above = above.getSuperclass()) {
                names.add(above.getName());
            }
        }
        return Set.copyOf(names);
    }

    /**
     * Says whether the message, the cause and the text of every exception that may travel run no code of the program, and no code of
     * the program runs where values are written and read.
     */
    public boolean allowsOnlyPlainThrowables() {
        return allowsOnlyPlainThrowables;
    }

    private static boolean isCollection(Class<?> type) {
        return Iterable.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)
                || Map.Entry.class.isAssignableFrom(type)
                || BaseStream.class.isAssignableFrom(type);
    }

    /** Says whether a type is named, also as a supertype of others. */
    boolean names(Class<?> type) {
        return named.get(type.getName()) == type;
    }

    /** Says whether instances of exactly this class may travel. */
    public boolean allows(Class<?> type) {
        if (type.isArray()) {
            Class<?> element = type;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            return element.isPrimitive()
                    || named.get(element.getName()) == element
                    || JdkThrowables.isJdkThrowable(element);
        }
        return concrete.get(type.getName()) == type || JdkThrowables.isJdkThrowable(type);
    }

    /** Whether objects of some class that may travel are replaced when they are written. */
    boolean replaces() {
        return replaces;
    }

    /** The codec of the program that writes the objects of a class; null if there is none. */
    @Nullable
    ValueCodec<?> codec(Class<?> type) {
        for (ValueCodec<?> codec : codecs) {
            boolean isOpen = Modifier.isAbstract(codec.type().getModifiers());
            if (codec.type() == type || isOpen && codec.type().isAssignableFrom(type)) {
                return codec;
            }
        }
        return null;
    }

    /** The text with which a class is announced. */
    String announced(Class<?> type) {
        ValueCodec<?> codec = codec(type);
        return codec != null
                ? type.getName() + '#' + Layouts.of(codec).text()
                : type == Placeholder.class || type == Reference.class ? type.getName() : Layouts.announced(type);
    }

    /**
     * The class that a peer has announced.
     *
     * @throws SerialException if it is not allowed, or a version that cannot be matched with that here
     */
    Received received(String announced) {
        Received known = resolved.get(announced);
        if (known == null) {
            known = versions.get(announced);
        }
        if (known != null) {
            return known;
        }
        Class<?> type = known(announced);
        if (type == null) {
            throw SerialException.refused(
                    "type " + nameOf(announced) + " is neither named by the remote interface nor allowed");
        }
        String here = announced(type);
        if (here.equals(announced)) {
            Received same = new Received(type, null);
            resolved.put(announced, same);
            return same;
        }
        Received other = new Received(type, Versions.matched(announced, here));
        if (versions.size() >= MOST_VERSIONS) {
            versions.clear();
        }
        versions.put(announced, other);
        return other;
    }

    /**
     * The texts with which the classes of the program are announced that the interface names or the program allows; without enums, whose
     * constants matter when they are sent.
     */
    public List<String> layouts() {
        return concrete.values().stream()
                .filter(type -> !type.isEnum())
                .map(this::announced)
                .filter(text -> text.indexOf('#') >= 0)
                .toList();
    }

    /**
     * A difference between two versions of a class because of which objects are refused whatever their values are.
     *
     * @param text names the class, and the field if it is one
     * @param comes whether objects that come from the other side are refused
     * @param goes whether objects that go there are
     */
    public record Difference(String text, boolean comes, boolean goes) {}

    /**
     * Finds how the version of a class that a peer has announced differs from that here; null if objects can be sent in both directions, or
     * the class may not travel.
     */
    public @Nullable Difference difference(String announced) {
        Class<?> type = announced.indexOf('#') < 0 ? null : known(announced);
        String here = type == null || type.isEnum() ? announced : announced(type);
        if (here.equals(announced)) {
            return null;
        }
        try {
            Layout there = Versions.matched(announced, here);
            Layout own = Versions.layout(here);
            if (there.levels().size() != 1 || own.levels().size() != 1) {
                return null; // matched class by class, when an object comes
            }
            List<Layout.Part> parts = there.levels().get(0).parts();
            List<Layout.Part> ownParts = own.levels().get(0).parts();
            String comes = FieldMatch.difference(nameOf(here), parts, ownParts, true);
            String goes = FieldMatch.difference(nameOf(here), parts, ownParts, false);
            String text = comes != null ? comes : goes;
            return text == null ? null : new Difference(text, comes != null, goes != null);
        } catch (SerialException e) {
            return new Difference(String.valueOf(e.getMessage()), true, true);
        }
    }

    /** Whether a class that a peer has announced may travel. */
    boolean knows(String announced) {
        return resolved.containsKey(announced) || known(announced) != null;
    }

    private @Nullable Class<?> known(String announced) {
        String name = nameOf(announced);
        return name.startsWith("[") ? arrayOf(name) : concreteOf(name);
    }

    private static String nameOf(String announced) {
        int mark = announced.indexOf('#');
        return mark < 0 ? announced : announced.substring(0, mark);
    }

    private @Nullable Class<?> concreteOf(String name) {
        Class<?> type = concrete.get(name);
        return type != null ? type : JDK_THROWABLES.named(name);
    }

    private @Nullable Class<?> arrayOf(String name) {
        int dimensions = name.lastIndexOf('[') + 1;
        String element = name.substring(dimensions);
        if (dimensions > MAX_DIMENSIONS || element.isEmpty()) {
            return null;
        }
        Class<?> type = element.startsWith("L") && element.endsWith(";")
                ? elementOf(element.substring(1, element.length() - 1))
                : primitive(element);
        for (int i = 0; type != null && i < dimensions; i++) {
            type = type.arrayType();
        }
        return type;
    }

    private @Nullable Class<?> elementOf(String name) {
        Class<?> type = named.get(name);
        return type != null ? type : JDK_THROWABLES.named(name);
    }

    private static @Nullable Class<?> primitive(String descriptor) {
        return switch (descriptor) {
            case "Z" -> boolean.class;
            case "B" -> byte.class;
            case "C" -> char.class;
            case "S" -> short.class;
            case "I" -> int.class;
            case "J" -> long.class;
            case "F" -> float.class;
            case "D" -> double.class;
            default -> null;
        };
    }

    private static java.util.Optional<String> unusable(Root root, Collection<Class<?>> concrete) {
        if (!(root.type() instanceof Class<?> type) || type.isArray() || type.isPrimitive() || Jdk.has(type)) {
            return java.util.Optional.empty();
        }
        boolean open = type.isInterface() || Modifier.isAbstract(type.getModifiers());
        if (!open
                || TypeWalk.isReferred(type)
                || Throwable.class.isAssignableFrom(type)
                || concrete.stream().anyMatch(type::isAssignableFrom)) {
            return java.util.Optional.empty();
        }
        return java.util.Optional.of(root.place() + ": no class that may be sent implements " + type.getName()
                + " (make it sealed, or add classes to 'allow' in the application file)");
    }

    /** The message for a user who tries to send an instance of a class that may not travel. */
    static String refusal(Class<?> type) {
        if (type.isHidden() || type.getName().contains("$$Lambda")) {
            return "a lambda (" + type.getName() + ") cannot be sent";
        }
        if (type.isAnonymousClass() || type.isLocalClass()) {
            return "an anonymous or local class (" + type.getName() + ") cannot be sent";
        }
        if (CallException.class.isAssignableFrom(type)) {
            return type.getName() + " speaks of another call and cannot be sent";
        }
        return "type " + type.getName()
                + " is neither named by the remote interface nor allowed (add it to 'allow' in the application file)";
    }
}
