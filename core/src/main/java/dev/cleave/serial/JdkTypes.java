package dev.cleave.serial;

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.OptionalSerializers;
import com.esotericsoftware.kryo.serializers.TimeSerializers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The types of the JDK that every remote interface allows, each with its codec: values without behaviour. */
final class JdkTypes {

    /** The class of a zone by name; named by text, since to make one looks for rules on the whole class path. */
    private static final Class<?> ZONE_REGION = zoneRegion();

    private static final List<Class<?>> ENUMS = List.of(
            java.time.DayOfWeek.class,
            java.time.Month.class,
            java.time.temporal.ChronoUnit.class,
            java.util.concurrent.TimeUnit.class,
            java.math.RoundingMode.class);

    /** The types whose codecs are made here. Reading this set makes no codec, since most programs need few. */
    private static final Set<Class<?>> OWN = own();

    private static final Set<Class<?>> ALL = all();

    /** Collections and values that lock. */
    private static final Set<Class<?>> LOUD = Set.of(
            java.util.Vector.class,
            java.util.Stack.class,
            java.util.Hashtable.class,
            java.util.Properties.class,
            java.util.concurrent.LinkedBlockingQueue.class,
            java.util.concurrent.LinkedBlockingDeque.class,
            java.util.concurrent.PriorityBlockingQueue.class,
            StringBuffer.class,
            java.util.GregorianCalendar.class,
            JdkValues.zoneClass());

    /** Makes the codecs; linked when the first one is needed. */
    private static final class Codecs {

        static final Map<Class<?>, Supplier<Serializer<?>>> OWN = new HashMap<>();

        static {
            OWN.put(Boolean.class, DefaultSerializers.BooleanSerializer::new);
            OWN.put(Byte.class, DefaultSerializers.ByteSerializer::new);
            OWN.put(Character.class, DefaultSerializers.CharSerializer::new);
            OWN.put(Short.class, DefaultSerializers.ShortSerializer::new);
            OWN.put(Integer.class, DefaultSerializers.IntSerializer::new);
            OWN.put(Long.class, DefaultSerializers.LongSerializer::new);
            OWN.put(Float.class, DefaultSerializers.FloatSerializer::new);
            OWN.put(Double.class, DefaultSerializers.DoubleSerializer::new);
            OWN.put(String.class, DefaultSerializers.StringSerializer::new);
            OWN.put(StringBuilder.class, DefaultSerializers.StringBuilderSerializer::new);
            OWN.put(java.math.BigInteger.class, DefaultSerializers.BigIntegerSerializer::new);
            OWN.put(java.math.BigDecimal.class, DefaultSerializers.BigDecimalSerializer::new);
            OWN.put(java.util.UUID.class, () -> new TextCodec<>(Object::toString, java.util.UUID::fromString));
            OWN.put(java.net.URI.class, () -> new TextCodec<>(Object::toString, java.net.URI::create));
            OWN.put(
                    java.util.Currency.class,
                    () -> new TextCodec<>(java.util.Currency::getCurrencyCode, java.util.Currency::getInstance));
            OWN.put(java.util.Date.class, DefaultSerializers.DateSerializer::new);
            OWN.put(java.util.BitSet.class, DefaultSerializers.BitSetSerializer::new);
            OWN.put(java.util.Optional.class, OptionalCodec::new);
            OWN.put(java.util.OptionalInt.class, OptionalSerializers.OptionalIntSerializer::new);
            OWN.put(java.util.OptionalLong.class, OptionalSerializers.OptionalLongSerializer::new);
            OWN.put(java.util.OptionalDouble.class, OptionalSerializers.OptionalDoubleSerializer::new);
            OWN.put(java.time.Duration.class, TimeSerializers.DurationSerializer::new);
            OWN.put(java.time.Instant.class, TimeSerializers.InstantSerializer::new);
            OWN.put(java.time.LocalDate.class, TimeSerializers.LocalDateSerializer::new);
            OWN.put(java.time.LocalTime.class, TimeSerializers.LocalTimeSerializer::new);
            OWN.put(java.time.LocalDateTime.class, TimeSerializers.LocalDateTimeSerializer::new);
            OWN.put(java.time.ZoneOffset.class, TimeSerializers.ZoneOffsetSerializer::new);
            OWN.put(ZONE_REGION, TimeSerializers.ZoneIdSerializer::new);
            OWN.put(java.time.OffsetTime.class, TimeSerializers.OffsetTimeSerializer::new);
            OWN.put(java.time.OffsetDateTime.class, TimeSerializers.OffsetDateTimeSerializer::new);
            OWN.put(java.time.ZonedDateTime.class, TimeSerializers.ZonedDateTimeSerializer::new);
            OWN.put(java.time.Year.class, TimeSerializers.YearSerializer::new);
            OWN.put(java.time.YearMonth.class, TimeSerializers.YearMonthSerializer::new);
            OWN.put(java.time.MonthDay.class, TimeSerializers.MonthDaySerializer::new);
            OWN.put(java.time.Period.class, TimeSerializers.PeriodSerializer::new);
            ENUMS.forEach(type -> OWN.put(type, () -> new EnumCodec(type)));
        }

        private Codecs() {}
    }

    private JdkTypes() {}

    private static Class<?> zoneRegion() {
        try {
            return Class.forName("java.time.ZoneRegion", false, null);
        } catch (ClassNotFoundException e) {
            return java.time.ZoneId.of("Europe/Berlin").getClass();
        }
    }

    private static Set<Class<?>> own() {
        Set<Class<?>> types = new HashSet<>(ENUMS);
        types.addAll(List.of(
                Boolean.class,
                Byte.class,
                Character.class,
                Short.class,
                Integer.class,
                Long.class,
                Float.class,
                Double.class,
                String.class,
                StringBuilder.class,
                java.math.BigInteger.class,
                java.math.BigDecimal.class,
                java.util.UUID.class,
                java.net.URI.class,
                java.util.Currency.class,
                java.util.Date.class,
                java.util.BitSet.class,
                java.util.Optional.class,
                java.util.OptionalInt.class,
                java.util.OptionalLong.class,
                java.util.OptionalDouble.class,
                java.time.Duration.class,
                java.time.Instant.class,
                java.time.LocalDate.class,
                java.time.LocalTime.class,
                java.time.LocalDateTime.class,
                java.time.ZoneOffset.class,
                ZONE_REGION,
                java.time.OffsetTime.class,
                java.time.OffsetDateTime.class,
                java.time.ZonedDateTime.class,
                java.time.Year.class,
                java.time.YearMonth.class,
                java.time.MonthDay.class,
                java.time.Period.class));
        return types;
    }

    private static Set<Class<?>> all() {
        Set<Class<?>> types = new HashSet<>(OWN);
        types.addAll(JdkValues.TYPES);
        types.addAll(CollectionCodecs.TYPES);
        return types;
    }

    /** Says whether values of exactly this class have a codec. */
    static boolean isKnown(Class<?> type) {
        return ALL.contains(type);
    }

    /** Says whether some known class is a subtype. */
    static boolean isSupertype(Class<?> type) {
        for (Class<?> each : ALL) {
            if (type.isAssignableFrom(each)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether writing objects of exactly this class reads only these objects: no view, no lock, no overridden method.
     */
    static boolean isQuiet(Class<?> type) {
        String name = type.getName();
        boolean isWrapper = name.startsWith("java.util.Collections$Unmodifiable")
                || name.startsWith("java.util.Collections$Synchronized");
        return !isWrapper
                && !LOUD.contains(type)
                && !Throwable.class.isAssignableFrom(type)
                && (isKnown(type) || Views.copy(type) == null);
    }

    /** The types that have codecs, whether they are known or not; they are the same. */
    static Set<Class<?>> withCodecs() {
        Set<Class<?>> types = new HashSet<>(Codecs.OWN.keySet());
        types.addAll(JdkValues.withCodecs());
        types.addAll(CollectionCodecs.withCodecs());
        return types;
    }

    static Set<Class<?>> known() {
        return ALL;
    }

    static @Nullable Serializer<?> codec(Class<?> type) {
        if (!ALL.contains(type)) {
            return null;
        }
        Supplier<Serializer<?>> maker = OWN.contains(type)
                ? Codecs.OWN.get(type)
                : JdkValues.TYPES.contains(type) ? JdkValues.codec(type) : CollectionCodecs.codec(type);
        return maker == null ? null : maker.get();
    }
}
