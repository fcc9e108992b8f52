package dev.cleave.serial;

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.OptionalSerializers;
import com.esotericsoftware.kryo.serializers.TimeSerializers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The types of the JDK that every remote interface allows, each with its codec: values without behaviour. */
final class JdkTypes {

    private static final Map<Class<?>, Supplier<Serializer<?>>> CODECS = new LinkedHashMap<>();

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

    static {
        CODECS.put(Boolean.class, DefaultSerializers.BooleanSerializer::new);
        CODECS.put(Byte.class, DefaultSerializers.ByteSerializer::new);
        CODECS.put(Character.class, DefaultSerializers.CharSerializer::new);
        CODECS.put(Short.class, DefaultSerializers.ShortSerializer::new);
        CODECS.put(Integer.class, DefaultSerializers.IntSerializer::new);
        CODECS.put(Long.class, DefaultSerializers.LongSerializer::new);
        CODECS.put(Float.class, DefaultSerializers.FloatSerializer::new);
        CODECS.put(Double.class, DefaultSerializers.DoubleSerializer::new);
        CODECS.put(String.class, DefaultSerializers.StringSerializer::new);
        CODECS.put(StringBuilder.class, DefaultSerializers.StringBuilderSerializer::new);
        CODECS.put(java.math.BigInteger.class, DefaultSerializers.BigIntegerSerializer::new);
        CODECS.put(java.math.BigDecimal.class, DefaultSerializers.BigDecimalSerializer::new);
        CODECS.put(java.util.UUID.class, () -> new TextCodec<>(Object::toString, java.util.UUID::fromString));
        CODECS.put(java.net.URI.class, () -> new TextCodec<>(Object::toString, java.net.URI::create));
        CODECS.put(
                java.util.Currency.class,
                () -> new TextCodec<>(java.util.Currency::getCurrencyCode, java.util.Currency::getInstance));
        CODECS.put(java.util.Date.class, DefaultSerializers.DateSerializer::new);
        CODECS.put(java.util.BitSet.class, DefaultSerializers.BitSetSerializer::new);
        CODECS.put(java.util.Optional.class, OptionalCodec::new);
        CODECS.put(java.util.OptionalInt.class, OptionalSerializers.OptionalIntSerializer::new);
        CODECS.put(java.util.OptionalLong.class, OptionalSerializers.OptionalLongSerializer::new);
        CODECS.put(java.util.OptionalDouble.class, OptionalSerializers.OptionalDoubleSerializer::new);
        CODECS.put(java.time.Duration.class, TimeSerializers.DurationSerializer::new);
        CODECS.put(java.time.Instant.class, TimeSerializers.InstantSerializer::new);
        CODECS.put(java.time.LocalDate.class, TimeSerializers.LocalDateSerializer::new);
        CODECS.put(java.time.LocalTime.class, TimeSerializers.LocalTimeSerializer::new);
        CODECS.put(java.time.LocalDateTime.class, TimeSerializers.LocalDateTimeSerializer::new);
        CODECS.put(java.time.ZoneOffset.class, TimeSerializers.ZoneOffsetSerializer::new);
        CODECS.put(java.time.ZoneId.of("Europe/Berlin").getClass(), TimeSerializers.ZoneIdSerializer::new);
        CODECS.put(java.time.OffsetTime.class, TimeSerializers.OffsetTimeSerializer::new);
        CODECS.put(java.time.OffsetDateTime.class, TimeSerializers.OffsetDateTimeSerializer::new);
        CODECS.put(java.time.ZonedDateTime.class, TimeSerializers.ZonedDateTimeSerializer::new);
        CODECS.put(java.time.Year.class, TimeSerializers.YearSerializer::new);
        CODECS.put(java.time.YearMonth.class, TimeSerializers.YearMonthSerializer::new);
        CODECS.put(java.time.MonthDay.class, TimeSerializers.MonthDaySerializer::new);
        CODECS.put(java.time.Period.class, TimeSerializers.PeriodSerializer::new);
        for (Class<?> type : List.of(
                java.time.DayOfWeek.class,
                java.time.Month.class,
                java.time.temporal.ChronoUnit.class,
                java.util.concurrent.TimeUnit.class,
                java.math.RoundingMode.class)) {
            CODECS.put(type, () -> new EnumCodec(type));
        }
        JdkValues.addTo(CODECS);
        CODECS.putAll(CollectionCodecs.all());
    }

    private JdkTypes() {}

    /** Says whether values of exactly this class have a codec. */
    static boolean isKnown(Class<?> type) {
        return CODECS.containsKey(type);
    }

    /** Says whether some known class is a subtype. */
    static boolean isSupertype(Class<?> type) {
        return CODECS.keySet().stream().anyMatch(type::isAssignableFrom);
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

    static Iterable<Class<?>> known() {
        return CODECS.keySet();
    }

    static @Nullable Serializer<?> codec(Class<?> type) {
        Supplier<Serializer<?>> maker = CODECS.get(type);
        return maker == null ? null : maker.get();
    }
}
