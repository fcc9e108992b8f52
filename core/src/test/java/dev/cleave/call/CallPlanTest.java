package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Later;
import dev.cleave.call.ParameterPlan.Travel;
import dev.cleave.serial.ValueKind;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallPlanTest {

    record Line(Later.Value<double[]> cells) {}

    record Matrix(List<Line> lines) {}

    interface Shop {

        double sum(String name, List<String> parts, double[] values, int[][] rows, int count);

        double streamed(@Later double[] first, String second, @Later double[] third);

        long read(InputStream in, Later.Value<List<String>> names);

        double holds(Matrix matrix);

        double streamsWhatHolds(@Later Matrix matrix);

        Later.Value<double[]> value(int size);

        @Later
        double[] marked(int size);

        Matrix within(int size);

        @Later
        Matrix markedWithin(int size);

        CompletableFuture<List<String>> soon();

        void nothing();

        void number(@Later int number);

        @Later
        int markedNumber();
    }

    private static CallPlan plan(String name, @Nullable List<String> later) {
        Method method = Arrays.stream(Shop.class.getMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return new CallPlan(Shop.class, method, "Shop." + name, later, false);
    }

    private static CallPlan plan(String name) {
        return plan(name, null);
    }

    private static List<Travel> travels(CallPlan plan) {
        return plan.parameters().stream().map(ParameterPlan::travel).toList();
    }

    @Test
    void aRequestHasDirectValuesFirstAndObjectsBehindThem() {
        CallPlan plan = plan("sum");

        assertThat(plan.parameters().stream().map(ParameterPlan::kind))
                .containsExactly(
                        ValueKind.STRING, ValueKind.OBJECT, ValueKind.DOUBLES, ValueKind.OBJECT, ValueKind.INT);
        assertThat(plan.written().stream().map(ParameterPlan::place)).containsExactly(0, 2, 4, 1, 3);
        assertThat(plan.objects()).hasSize(2);
        assertThat(plan.objectName(1)).startsWith("Shop.sum: parameter 4");
        assertThat(travels(plan)).containsOnly(Travel.WHOLE);
        assertThat(plan.streamed()).isEmpty();
        assertThat(plan.beginsWithParts()).isFalse();
        assertThat(plan.hasStreamedTypes()).isFalse();
    }

    @Test
    void markedParametersAreStreamedInTheirOrderAndTheMethodMayStillTakeThemWhole() {
        CallPlan plan = plan("streamed");

        assertThat(travels(plan)).containsExactly(Travel.STREAMED, Travel.WHOLE, Travel.STREAMED);
        assertThat(plan.streamed()).containsExactly(0, 2);
        assertThat(plan.beginsWithParts()).isFalse();
    }

    @Test
    void theFileChoosesInPlaceOfAnnotations() {
        CallPlan plan = plan("streamed", List.of("3", "2"));

        assertThat(plan.streamed()).containsExactly(2, 1);
        assertThat(travels(plan)).containsExactly(Travel.WHOLE, Travel.STREAMED, Travel.STREAMED);
        assertThat(plan("streamed", List.of()).streamed()).isEmpty();
    }

    @Test
    void aProgramChoosesForItsCallsAndDeclaredStreamsAreStreamedAllTheSame() {
        assertThat(plan("streamed").streamed(List.of("2"))).containsExactly(1);
        assertThat(plan("read").streamed(List.of("2"))).containsExactly(1, 0);
        assertThat(plan("read").streamed(List.of())).containsExactly(0, 1);
    }

    @Test
    void declaredStreamsBeginTheMethodAndAreCheckedAsWhatTheyHold() {
        CallPlan plan = plan("read");

        assertThat(travels(plan)).containsExactly(Travel.INPUT, Travel.LATER);
        assertThat(plan.parameters().get(0).sent()).isEqualTo(byte[].class);
        assertThat(plan.parameters().get(1).sent().getTypeName()).isEqualTo("java.util.List<java.lang.String>");
        assertThat(plan.beginsWithParts()).isTrue();
        assertThat(plan.hasStreamedTypes()).isTrue();
    }

    @Test
    void argumentsThatHoldStreamedValuesBeginTheMethod() {
        assertThat(travels(plan("holds"))).containsExactly(Travel.WHOLE);
        assertThat(plan("holds").beginsWithParts()).isTrue();
        assertThat(plan("streamsWhatHolds").beginsWithParts()).isTrue();
    }

    @Test
    void resultsEndTheCallInPartsIfTheirTypeSaysSo() {
        assertThat(plan("value").resultIs(Travel.LATER)).isTrue();
        assertThat(plan("value").endsWithParts()).isTrue();
        assertThat(plan("value").hasStreamedTypes()).isTrue();
        assertThat(plan("marked").resultIs(Travel.STREAMED)).isTrue();
        assertThat(plan("marked").endsWithParts()).isFalse();
        assertThat(plan("marked").hasStreamedTypes()).isFalse();
        assertThat(plan("within").endsWithParts()).isTrue();
        assertThat(plan("markedWithin").endsWithParts()).isFalse();
        assertThat(plan("markedWithin").hasStreamedTypes()).isTrue();
    }

    @Test
    void theResultOfAFutureIsWhatItBrings() {
        ParameterPlan result = plan("soon").result();

        assertThat(result).isNotNull();
        assertThat(result.kind()).isEqualTo(ValueKind.OBJECT);
        assertThat(result.sent().getTypeName()).isEqualTo("java.util.List<java.lang.String>");
        assertThat(plan("nothing").result()).isNull();
        assertThat(plan("nothing").endsWithParts()).isFalse();
    }

    @Test
    void primitivesCannotBeStreamed() {
        assertThatThrownBy(() -> plan("number"))
                .hasMessage("Shop.number: parameter 1 is a int and cannot come later (expected: an array or object)");
        assertThatThrownBy(() -> plan("markedNumber"))
                .hasMessage(
                        "Shop.markedNumber: the result is int and cannot come later (expected: an array or object)");
    }

    @Test
    void whatIsNoParameterIsRefusedWithTheNamesOfThose() {
        assertThatThrownBy(() -> plan("nothing", List.of("genome")))
                .hasMessage("Shop.nothing: later: genome is no parameter (expected: none, it has no parameters)");
        assertThatThrownBy(() -> plan("streamed", List.of("4"))).hasMessageContaining("or numbers from 1 on");
    }

    @Test
    void plansOfOneMethodAreEqualIfTheyStreamTheSame() {
        assertThat(plan("streamed")).isEqualTo(plan("streamed")).hasSameHashCodeAs(plan("streamed"));
        assertThat(plan("streamed")).isEqualTo(plan("streamed", List.of("1", "3")));
        assertThat(plan("streamed")).isNotEqualTo(plan("streamed", List.of("3")));
        assertThat(plan("streamed")).isNotEqualTo(plan("holds"));
    }
}
