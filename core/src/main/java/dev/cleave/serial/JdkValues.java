package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of values of the JDK that have a form of their own. None looks up a host or opens a file, and none makes
 * another value of what it has read.
 */
final class JdkValues {

    private static final boolean HAS_SQL =
            ModuleLayer.boot().findModule("java.sql").isPresent();

    /** The classes of these values; to ask for them makes no codec. */
    static final Set<Class<?>> TYPES = types();

    private JdkValues() {}

    private static Set<Class<?>> types() {
        Set<Class<?>> types = new HashSet<>(List.of(
                StringBuffer.class,
                File.class,
                URL.class,
                Locale.class,
                Pattern.class,
                Inet4Address.class,
                Inet6Address.class,
                InetSocketAddress.class,
                zoneClass(),
                GregorianCalendar.class,
                Properties.class,
                SimpleEntry.class,
                SimpleImmutableEntry.class,
                Map.entry(1, 1).getClass(),
                AtomicBoolean.class,
                AtomicInteger.class,
                AtomicLong.class,
                LongAdder.class,
                DoubleAdder.class,
                AtomicIntegerArray.class,
                AtomicLongArray.class,
                AtomicReference.class));
        if (HAS_SQL) {
            types.addAll(Sql.types());
        }
        return types;
    }

    /** The codec of values of one of these classes. */
    static @Nullable Supplier<Serializer<?>> codec(Class<?> type) {
        return Codecs.ALL.get(type);
    }

    /** The classes that have codecs. */
    static Set<Class<?>> withCodecs() {
        return Codecs.ALL.keySet();
    }

    /** Makes the codecs; linked when the first one is needed. */
    private static final class Codecs {

        static final Map<Class<?>, Supplier<Serializer<?>>> ALL = new HashMap<>();

        static {
            addTo(ALL);
        }

        private Codecs() {}
    }

    /** Writes a value. */
    private interface Writing<T> {
        void write(Kryo kryo, Output output, T value);
    }

    /** Reads a value. */
    private interface Reading<T> {
        T read(Kryo kryo, BoundedInput input);
    }

    private static <T> Supplier<Serializer<?>> made(Writing<T> writing, Reading<T> reading) {
        return () -> new Serializer<T>() {
            @Override
            public void write(Kryo kryo, Output output, T object) {
                writing.write(kryo, output, object);
            }

            @Override
            public T read(Kryo kryo, Input input, Class<? extends T> type) {
                return reading.read(kryo, (BoundedInput) input);
            }
        };
    }

    /** The class of time zones that the JDK knows; named by text, since to make one reads all their rules. */
    static Class<?> zoneClass() {
        try {
            return Class.forName("sun.util.calendar.ZoneInfo", false, null);
        } catch (ClassNotFoundException e) {
            return TimeZone.getTimeZone("GMT").getClass();
        }
    }

    private static void addTo(Map<Class<?>, Supplier<Serializer<?>>> codecs) {
        codecs.put(
                StringBuffer.class,
                made((k, out, b) -> out.writeString(b.toString()), (k, in) -> new StringBuffer(text(in))));
        codecs.put(File.class, made((k, out, f) -> out.writeString(f.getPath()), (k, in) -> new File(text(in))));
        codecs.put(URL.class, made((k, out, u) -> out.writeString(u.toExternalForm()), (k, in) -> url(text(in))));
        codecs.put(Locale.class, made((k, out, l) -> writeLocale(out, l), (k, in) -> readLocale(in)));
        codecs.put(Pattern.class, made((k, out, p) -> writePattern(out, p), (k, in) -> readPattern(in)));
        codecs.put(Inet4Address.class, made((k, out, a) -> writeAddress(out, a), (k, in) -> readAddress(in)));
        codecs.put(Inet6Address.class, made((k, out, a) -> writeAddress(out, a), (k, in) -> readAddress(in)));
        codecs.put(InetSocketAddress.class, made((k, out, a) -> writeSocket(out, a), (k, in) -> readSocket(in)));
        codecs.put(zoneClass(), made((Kryo k, Output out, TimeZone z) -> writeZone(out, z), (k, in) -> readZone(in)));
        codecs.put(GregorianCalendar.class, made((k, out, c) -> writeCalendar(out, c), (k, in) -> readCalendar(in)));
        codecs.put(Properties.class, made(JdkValues::writeProperties, JdkValues::readProperties));
        entries(codecs);
        atomics(codecs);
        if (HAS_SQL) {
            Sql.addTo(codecs);
        }
    }

    private static void entries(Map<Class<?>, Supplier<Serializer<?>>> codecs) {
        codecs.put(SimpleEntry.class, () -> new EntryCodec(SimpleEntry::new));
        codecs.put(SimpleImmutableEntry.class, () -> new EntryCodec(SimpleImmutableEntry::new));
        codecs.put(Map.entry(1, 1).getClass(), () -> new EntryCodec(Map::entry));
    }

    private static void atomics(Map<Class<?>, Supplier<Serializer<?>>> codecs) {
        codecs.put(
                AtomicBoolean.class,
                made((k, out, a) -> out.writeBoolean(a.get()), (k, in) -> new AtomicBoolean(in.readBoolean())));
        codecs.put(
                AtomicInteger.class,
                made((k, out, a) -> out.writeInt(a.get()), (k, in) -> new AtomicInteger(in.readInt())));
        codecs.put(
                AtomicLong.class,
                made((k, out, a) -> out.writeLong(a.get()), (k, in) -> new AtomicLong(in.readLong())));
        codecs.put(LongAdder.class, made((k, out, a) -> out.writeLong(a.sum()), (k, in) -> {
            LongAdder adder = new LongAdder();
            adder.add(in.readLong());
            return adder;
        }));
        codecs.put(DoubleAdder.class, made((k, out, a) -> out.writeDouble(a.sum()), (k, in) -> {
            DoubleAdder adder = new DoubleAdder();
            adder.add(in.readDouble());
            return adder;
        }));
        codecs.put(
                AtomicIntegerArray.class,
                made(JdkValues::writeInts, (k, in) -> new AtomicIntegerArray(in.readInts(in.size(4)))));
        codecs.put(
                AtomicLongArray.class,
                made(JdkValues::writeLongs, (k, in) -> new AtomicLongArray(in.readLongs(in.size(8)))));
        codecs.put(AtomicReference.class, ReferenceCellCodec::new);
    }

    private static void writeInts(Kryo kryo, Output out, AtomicIntegerArray array) {
        int[] values = new int[array.length()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i);
        }
        out.writeVarInt(values.length, true);
        out.writeInts(values, 0, values.length);
    }

    private static void writeLongs(Kryo kryo, Output out, AtomicLongArray array) {
        long[] values = new long[array.length()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i);
        }
        out.writeVarInt(values.length, true);
        out.writeLongs(values, 0, values.length);
    }

    private static String text(Input in) {
        String read = in.readString();
        if (read == null) {
            throw SerialException.malformed("null (expected: text)");
        }
        return read;
    }

    @SuppressWarnings("deprecation") // of later JDKs, which have no other way to make one of any protocol
    private static URL url(String text) {
        try {
            return new URL(text);
        } catch (MalformedURLException e) {
            throw new SerialException(SerialException.Reason.REFUSED, "java.net.URL: " + e.getMessage(), e);
        }
    }

    private static void writeLocale(Output out, Locale locale) {
        String tag = locale.toLanguageTag();
        boolean isWhole = Locale.forLanguageTag(tag).equals(locale);
        out.writeString(isWhole ? tag : null);
        if (isWhole) {
            return;
        }
        if (!locale(locale.getLanguage(), locale.getCountry(), locale.getVariant())
                .equals(locale)) {
            throw SerialException.refused("java.util.Locale " + locale + " has no language tag");
        }
        out.writeString(locale.getLanguage());
        out.writeString(locale.getCountry());
        out.writeString(locale.getVariant());
    }

    private static Locale readLocale(Input in) {
        String tag = in.readString();
        return tag != null ? Locale.forLanguageTag(tag) : locale(text(in), text(in), text(in));
    }

    @SuppressWarnings("deprecation") // of later JDKs
    private static Locale locale(String language, String country, String variant) {
        return new Locale(language, country, variant);
    }

    private static void writePattern(Output out, Pattern pattern) {
        checkFlags(pattern.flags());
        out.writeVarInt(pattern.flags(), true);
        out.writeString(pattern.pattern());
    }

    private static Pattern readPattern(Input in) {
        int flags = in.readVarInt(true);
        checkFlags(flags);
        return Pattern.compile(text(in), flags);
    }

    private static void checkFlags(int flags) {
        if ((flags & Pattern.CANON_EQ) != 0) {
            throw SerialException.refused("a java.util.regex.Pattern with CANON_EQ, which takes too long to compile");
        }
    }

    private static void writeAddress(Output out, InetAddress address) {
        String text = address.toString(); // unlike getHostName it asks no name service
        int end = text.indexOf('/');
        out.writeString(end <= 0 ? null : text.substring(0, end));
        out.writeVarInt(address.getAddress().length, true);
        out.writeBytes(address.getAddress());
        out.writeInt(address instanceof Inet6Address six ? six.getScopeId() : 0);
    }

    private static InetAddress readAddress(BoundedInput in) {
        try {
            String host = in.readString();
            byte[] bytes = in.readBytes(in.size(1));
            int scope = in.readInt();
            return bytes.length == 16 && scope != 0
                    ? Inet6Address.getByAddress(host, bytes, scope)
                    : InetAddress.getByAddress(host, bytes);
        } catch (IOException e) {
            throw SerialException.malformed("java.net.InetAddress: " + e.getMessage());
        }
    }

    private static void writeSocket(Output out, InetSocketAddress address) {
        InetAddress resolved = address.getAddress();
        out.writeVarInt(address.getPort(), true);
        out.writeBoolean(resolved != null);
        if (resolved == null) {
            out.writeString(address.getHostString());
        } else {
            writeAddress(out, resolved);
        }
    }

    private static InetSocketAddress readSocket(BoundedInput in) {
        int port = in.readVarInt(true);
        return in.readBoolean()
                ? new InetSocketAddress(readAddress(in), port)
                : InetSocketAddress.createUnresolved(text(in), port);
    }

    private static void writeZone(Output out, TimeZone zone) {
        if (!TimeZone.getTimeZone(zone.getID()).hasSameRules(zone)) {
            throw SerialException.refused("java.util.TimeZone " + zone.getID() + " with rules of its own");
        }
        out.writeString(zone.getID());
    }

    private static TimeZone readZone(Input in) {
        String id = text(in);
        TimeZone zone = TimeZone.getTimeZone(id);
        if (!zone.getID().equals(id)) { // the JDK makes GMT of what it does not know
            throw SerialException.refused("java.util.TimeZone " + id + " is not known here");
        }
        return zone;
    }

    private static void writeCalendar(Output out, GregorianCalendar calendar) {
        GregorianCalendar copy = (GregorianCalendar) calendar.clone(); // getTimeInMillis computes fields
        writeZone(out, copy.getTimeZone());
        out.writeLong(copy.getTimeInMillis());
        out.writeBoolean(copy.isLenient());
        out.writeByte(copy.getFirstDayOfWeek());
        out.writeByte(copy.getMinimalDaysInFirstWeek());
        out.writeLong(copy.getGregorianChange().getTime());
    }

    private static GregorianCalendar readCalendar(Input in) {
        GregorianCalendar calendar = new GregorianCalendar(readZone(in));
        long time = in.readLong();
        calendar.setLenient(in.readBoolean());
        calendar.setFirstDayOfWeek(in.readByte());
        calendar.setMinimalDaysInFirstWeek(in.readByte());
        calendar.setGregorianChange(new Date(in.readLong()));
        calendar.setTimeInMillis(time);
        return calendar;
    }

    /** Writes the entries, and those of the defaults that the entries do not hide. */
    private static void writeProperties(Kryo kryo, Output out, Properties properties) {
        Object[] own = properties.entrySet().toArray();
        out.writeVarInt(own.length, true);
        for (Object each : own) {
            kryo.writeClassAndObject(out, ((Map.Entry<?, ?>) each).getKey());
            kryo.writeClassAndObject(out, ((Map.Entry<?, ?>) each).getValue());
        }
        Set<String> defaults = new TreeSet<>(properties.stringPropertyNames());
        defaults.removeAll(properties.keySet());
        out.writeVarInt(defaults.size(), true);
        for (String name : defaults) {
            out.writeString(name);
            out.writeString(properties.getProperty(name));
        }
    }

    private static Properties readProperties(Kryo kryo, BoundedInput in) {
        int size = in.size(2);
        @Nullable Object[] keys = new @Nullable Object[size];
        @Nullable Object[] values = new @Nullable Object[size];
        MapCodec.readEntries(kryo, in, new Shape[] {Shape.ANYTHING, Shape.ANYTHING}, keys, values);
        in.work().hashed(keys);
        int hidden = in.size(2);
        Properties defaults = hidden == 0 ? null : new Properties();
        String[] names = new String[hidden];
        String[] texts = new String[hidden];
        for (int i = 0; i < hidden; i++) {
            names[i] = text(in);
            texts[i] = text(in);
        }
        in.work().hashed(names);
        for (int i = 0; i < hidden && defaults != null; i++) {
            defaults.setProperty(names[i], texts[i]);
        }
        Properties properties = new Properties(defaults);
        for (int i = 0; i < size; i++) {
            if (keys[i] == null || values[i] == null) {
                throw SerialException.malformed("null in java.util.Properties");
            }
            properties.put(keys[i], values[i]);
        }
        return properties;
    }

    /** Writes an entry of a map: its key and its value. */
    private static final class EntryCodec extends Serializer<Object> {

        private final BiFunction<@Nullable Object, @Nullable Object, Map.Entry<?, ?>> maker;

        EntryCodec(BiFunction<@Nullable Object, @Nullable Object, Map.Entry<?, ?>> maker) {
            this.maker = maker;
        }

        @Override
        public void write(Kryo kryo, Output output, Object object) {
            kryo.writeClassAndObject(output, ((Map.Entry<?, ?>) object).getKey());
            kryo.writeClassAndObject(output, ((Map.Entry<?, ?>) object).getValue());
        }

        @Override
        public Object read(Kryo kryo, Input input, Class<?> type) {
            BoundedInput bounded = (BoundedInput) input;
            Shape[] parts = bounded.expected().parts(type);
            @Nullable Object[] keys = new @Nullable Object[1];
            @Nullable Object[] values = new @Nullable Object[1];
            MapCodec.readEntries(kryo, bounded, parts, keys, values);
            return maker.apply(keys[0], values[0]);
        }
    }

    /** Writes an {@link AtomicReference}: its value. */
    private static final class ReferenceCellCodec extends Serializer<AtomicReference<?>> {

        @Override
        public void write(Kryo kryo, Output output, AtomicReference<?> object) {
            kryo.writeClassAndObject(output, object.get());
        }

        @Override
        public AtomicReference<?> read(Kryo kryo, Input input, Class<? extends AtomicReference<?>> type) {
            BoundedInput bounded = (BoundedInput) input;
            Shape value = bounded.expected().parts(type)[0];
            AtomicReference<@Nullable Object> made = new AtomicReference<>();
            kryo.reference(made);
            made.set(bounded.read(kryo, value));
            return made;
        }
    }

    /** The types of the module {@code java.sql}, which is not in every JDK. */
    private static final class Sql {

        private Sql() {}

        static List<Class<?>> types() {
            return List.of(java.sql.Date.class, java.sql.Time.class, java.sql.Timestamp.class);
        }

        static void addTo(Map<Class<?>, Supplier<Serializer<?>>> codecs) {
            codecs.put(
                    java.sql.Date.class,
                    made((k, out, d) -> out.writeLong(d.getTime()), (k, in) -> new java.sql.Date(in.readLong())));
            codecs.put(
                    java.sql.Time.class,
                    made((k, out, t) -> out.writeLong(t.getTime()), (k, in) -> new java.sql.Time(in.readLong())));
            codecs.put(
                    java.sql.Timestamp.class,
                    made(
                            (k, out, t) -> {
                                out.writeLong(t.getTime());
                                out.writeInt(t.getNanos());
                            },
                            (k, in) -> {
                                java.sql.Timestamp made = new java.sql.Timestamp(in.readLong());
                                made.setNanos(in.readInt());
                                return made;
                            }));
        }
    }
}
