package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import com.esotericsoftware.kryo.ClassResolver;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import com.esotericsoftware.kryo.util.MapReferenceResolver;
import dev.cleave.CallException.CallSite;
import dev.cleave.Later;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** One Kryo with its buffers, used by one call at a time. */
final class KryoSession implements CodecSession {

    /** The deepest nesting of objects that is written or read. */
    static final int MAX_DEPTH = 64;

    /** How many streamed values may be within each other. */
    static final int MOST_WITHIN = 4;

    private static final int MOST_OTHERS = 256;

    private static final byte[] NOTHING = {};

    static {
        // Our codecs need no Unsafe, and newer JDKs warn as soon as Kryo looks at it.
        if (System.getProperty("kryo.unsafe") == null) {
            System.setProperty("kryo.unsafe", "false");
        }
    }

    final Kryo kryo;
    final PlainOutput output = new PlainOutput();
    final BoundedInput input;

    private final Codec codec;
    private final TypePolicy policy;
    private final Numbers numbers;
    private final Passing passing;
    private List<Object> departed = List.of(); // the objects of which references were written
    private boolean stays; // no reference may be written
    private @Nullable AnnouncedNames names;
    private int highest = -1;
    private int within; // in how many other streamed values its value is
    private Declared declared = Declared.NOTHING; // the declaration of the value that is being read
    private boolean quiet;
    private final References references = new References();
    private final ObjectCodecs codecs;
    private final MessageHooks hooks = new MessageHooks();
    private CallSite site = new CallSite("", "", null, false);

    KryoSession(Codec codec, TypePolicy policy, Numbers numbers, Passing passing) {
        this.codec = codec;
        this.policy = policy;
        codecs = new ObjectCodecs(this, policy);
        input = new BoundedInput(policy::allows, new HashWork(policy::allows, JdkTypes::isKnown));
        this.numbers = numbers;
        this.passing = passing;
        Resolver resolver = new Resolver();
        kryo = policy.hasReferences() || policy.replaces() ? new Swizzling(resolver) : new Kryo(resolver, references);
        kryo.setRegistrationRequired(true);
        kryo.setReferences(true);
        kryo.setAutoReset(false);
        kryo.setMaxDepth(MAX_DEPTH);
        kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
        resolver.ready = true;
    }

    @Override
    public Kryo kryo() {
        return kryo;
    }

    @Override
    public BoundedInput input() {
        return input;
    }

    /** The highest type number that was written since {@link #clear}, or -1. */
    int highest() {
        return highest;
    }

    /** Sets whether to refuse values that cannot be written without running code of the program or taking a lock. */
    void quiet(boolean wanted) {
        quiet = wanted;
    }

    /** In how many streamed values its value is. */
    int within() {
        return within;
    }

    /** Sets the number of streamed values that enclose its value. */
    void within(int values) {
        within = values;
    }

    @Override
    public Placeholder placeholder(Later.Value<?> value) {
        if (!policy.names(Later.Value.class)) {
            throw SerialException.refused(TypePolicy.refusal(Later.Value.class));
        }
        if (stays || within >= MOST_WITHIN) {
            throw SerialException.refused("a later value within " + within + " others, or within an exception"
                    + " (expected: at most " + MOST_WITHIN + ", and none in exceptions)");
        }
        Placeholder following = output.streamed(value);
        return following != null ? following : inPlace(value);
    }

    private Placeholder inPlace(Later.Value<?> value) {
        StreamedValueWriter writer = new StreamedValueWriter(codec, List.of(), 0, within);
        Placeholder placeholder = writer.within(value);
        highest = Math.max(highest, writer.highest());
        writer.departed().forEach(this::departs);
        return placeholder;
    }

    @Override
    public Later.Value<?> value(Placeholder placeholder, Shape shape) {
        if (!policy.names(Later.Value.class) || within >= MOST_WITHIN) {
            throw SerialException.malformed(
                    "a later value within " + within + " others, or of an interface that names none");
        }
        return codec.streamed(
                placeholder,
                input.blocks(),
                requireNonNull(names),
                within + 1,
                declared.within(shape),
                input.work().limit());
    }

    @Override
    public Object arriving(Reference reference) {
        try {
            return passing.arriving(reference, policy, requireNonNull(names));
        } catch (SerialException e) {
            if (input.isSkipping()) {
                return new Skipped(reference.type()); // of an interface that only the other side has
            }
            throw e;
        }
    }

    void read(byte[] bytes, AnnouncedNames from, ReceivedBlocks blocks) {
        read(bytes, from, blocks, HashWork.BASE);
    }

    /** Reads as {@code read} does, with {@code units} of {@link HashWork} in addition to those for the bytes. */
    void read(byte[] bytes, AnnouncedNames from, ReceivedBlocks blocks, long units) {
        names = from;
        input.begin(bytes, blocks, units);
    }

    /** Reads the next object that is not part of another one. */
    @Nullable
    Object next(Declared where) {
        declared = where;
        Object read = input.readWhole(kryo, where);
        if (hooks.hasValidations()) {
            hooks.validate();
        }
        return read;
    }

    @Override
    public MessageHooks hooks() {
        return hooks;
    }

    @Override
    public int lastRead() {
        return references.last();
    }

    @Override
    public void resolved(int number, @Nullable Object object) {
        references.resolved(number, object);
    }

    /** Sets the call that is named in substitutes for exceptions that may not be loaded. */
    void site(CallSite about) {
        site = about;
    }

    @Override
    public CallSite site() {
        return site;
    }

    @Override
    public boolean allows(Class<?> type) {
        return policy.allows(type);
    }

    /** The objects of which references were written since {@link #clear}. */
    List<Object> departed() {
        return departed;
    }

    /** Refuses references until {@link #clear}. */
    void withoutReferences() {
        stays = true;
    }

    private @Nullable Object substitute(@Nullable Object object) {
        if (quiet && object != null && !JdkTypes.isKnown(object.getClass()) && !(object instanceof Enum)) {
            throw SerialException.refused(
                    object.getClass().getName() + " may be a reference, and cannot be sent ahead");
        }
        Passing.Departure departure =
                object == null || Jdk.isPlain(object.getClass()) ? null : passing.leaving(object, policy);
        if (departure == null) {
            return object == null || !policy.replaces() ? object : replaced(object);
        }
        if (stays) {
            throw SerialException.refused("a reference in an exception (expected: values alone)");
        }
        departs(departure.object());
        return departure.reference();
    }

    private @Nullable Object replaced(Object object) {
        Object known = hooks.replacement(object);
        if (known != null || Replacing.of(object.getClass()).replaces() == null) {
            return known != null ? known : object;
        }
        if (policy.codec(object.getClass()) != null) { // the program writes it in its own way
            return object;
        }
        if (!policy.allows(object.getClass())) {
            throw SerialException.refused(TypePolicy.refusal(object.getClass()));
        }
        return hooks.replace(object);
    }

    private void departs(Object object) {
        if (departed.isEmpty()) {
            departed = new ArrayList<>();
        }
        departed.add(object);
    }

    /** Resets the session, also after a failure. */
    void clear() {
        kryo.reset();
        output.clear();
        input.begin(NOTHING, ReceivedBlocks.none(), 0); // otherwise it would keep the arrays of its last value
        highest = -1;
        within = 0;
        names = null;
        declared = Declared.NOTHING;
        quiet = false;
        departed = List.of();
        stays = false;
        hooks.clear();
    }

    /** A class and the number under which it is written. */
    private static final class Numbered extends Registration {

        final int number;
        final boolean isQuiet;

        Numbered(Class<?> type, Serializer<?> codec, int number, boolean isQuiet) {
            super(type, codec, number);
            this.number = number;
            this.isQuiet = isQuiet;
        }
    }

    /** Kryo's view of the policy and of the numbers: names only, no class is loaded here. */
    private final class Resolver implements ClassResolver {

        private final Map<Class<?>, Registration> registrations = new IdentityHashMap<>();
        private final Map<String, Registration> others = new HashMap<>(); // by what was announced
        private boolean ready;

        @Override
        public void setKryo(Kryo owner) {}

        @Override
        public Registration register(Registration registration) {
            return registration; // what Kryo brings itself does not count
        }

        @Override
        @SuppressWarnings("NullAway") // Kryo means null
        public @Nullable Registration unregister(int number) {
            return null;
        }

        @Override
        @SuppressWarnings("rawtypes") // Kryo's signature
        public Registration registerImplicit(Class type) {
            return requireNonNull(getRegistration(type));
        }

        @Override
        @SuppressWarnings({"rawtypes", "NullAway"}) // Kryo's signature; null while Kryo registers its own
        public @Nullable Registration getRegistration(Class actual) {
            Registration known = registrations.get(actual);
            if (known != null || !ready) {
                return known;
            }
            Class<?> type = codecs.wireType(actual);
            if (!policy.allows(type)) {
                throw SerialException.refused(TypePolicy.refusal(actual));
            }
            boolean isQuiet = type != Placeholder.class
                    && JdkTypes.isQuiet(actual)
                    && StreamForm.of(type) == null
                    && Replacing.of(type).replaces() == null
                    && policy.codec(type) == null;
            Numbered made =
                    new Numbered(type, codecs.codecOf(type, null), numbers.numberOf(policy.announced(type)), isQuiet);
            registrations.put(actual, made);
            return made;
        }

        /** How objects are read that another version of a class has written, or an unknown class. */
        private Registration other(String announced, @Nullable Received received) {
            Registration known = others.get(announced);
            if (known != null) {
                return known;
            }
            Registration made = received == null
                    ? new Registration(SkipCodec.typeOf(announced), new SkipCodec(KryoSession.this, announced), 0)
                    : new Registration(received.type(), codecs.codecOf(received.type(), received.other()), 0);
            if (others.size() >= MOST_OTHERS) {
                others.clear();
            }
            others.put(announced, made);
            return made;
        }

        @Override
        @SuppressWarnings("NullAway") // Kryo means null
        public @Nullable Registration getRegistration(int number) {
            return null;
        }

        @Override
        @SuppressWarnings({"rawtypes", "NullAway"}) // Kryo's signature
        public @Nullable Registration writeClass(Output out, @Nullable Class actual) {
            if (actual == null) {
                out.writeVarInt(0, true);
                return null;
            }
            Numbered found = (Numbered) requireNonNull(getRegistration(actual));
            if (quiet && !found.isQuiet) {
                throw SerialException.refused(actual.getName() + " cannot be sent ahead");
            }
            int number = found.number;
            highest = Math.max(highest, number);
            out.writeVarInt(number + 1, true);
            return found;
        }

        @Override
        @SuppressWarnings("NullAway") // Kryo means null
        public @Nullable Registration readClass(Input in) {
            int coded = in.readVarInt(true);
            if (coded == 0) {
                return null;
            }
            String announced = requireNonNull(names).name(coded - 1);
            if (input.isSkipping() && !policy.knows(announced)) {
                return other(announced, null);
            }
            Received received = policy.received(announced);
            return received.other() == null ? getRegistration(received.type()) : other(announced, received);
        }

        @Override
        public void reset() {}
    }

    /** A Kryo that writes other objects in place of some: references, or what {@code writeReplace} returns. */
    private final class Swizzling extends Kryo {

        Swizzling(ClassResolver resolver) {
            super(resolver, references);
        }

        @Override
        @SuppressWarnings("NullAway") // Kryo writes null as any value
        public void writeClassAndObject(Output out, @Nullable Object object) {
            super.writeClassAndObject(out, substitute(object));
        }
    }

    /** Resolves back references to objects that are complete enough to refer to. */
    private final class References extends MapReferenceResolver {

        int last() {
            return readObjects.size() - 1;
        }

        void resolved(int number, @Nullable Object object) {
            readObjects.set(number, object);
        }

        @Override
        @SuppressWarnings("rawtypes") // Kryo's signature
        public boolean useReferences(Class type) {
            return !Jdk.isPlain(type) && !Enum.class.isAssignableFrom(type);
        }

        @Override
        @SuppressWarnings("rawtypes") // Kryo's signature
        public Object getReadObject(Class type, int id) {
            Object found = id < 0 || id >= readObjects.size() ? null : readObjects.get(id);
            if (found == null) {
                throw SerialException.malformed("reference to object " + id
                        + " (expected: one that is here; records and unchangeable collections cannot contain"
                        + " themselves)");
            }
            if (found instanceof Skipped skipped && !input.isSkipping()) {
                throw skipped.refusal();
            }
            return found;
        }
    }
}
