package dev.cleave.agent.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class CallbackTypesTest {

    @Test
    void parametersThatAreReferencesAreLeftOut() {
        assertThat(CallbackTypes.withoutReferences("(ILdev/cleave/Ref<[D>;J)V")).isEqualTo("(IJ)V");
        assertThat(CallbackTypes.withoutReferences("(Ldev/cleave/Ref;[[Lp/A;Ldev/cleave/Ref<Ljava/util/List<[I>;>;)I"))
                .isEqualTo("([[Lp/A;)I");
        assertThat(CallbackTypes.withoutReferences("()Ldev/cleave/Ref<[I>;")).isEqualTo("()Ldev/cleave/Ref<[I>;");
    }

    @Test
    void referencesWithinOthersAreNot() {
        String list = "(Ljava/util/List<Ldev/cleave/Ref<[D>;>;[Ldev/cleave/Ref;)V";

        assertThat(CallbackTypes.withoutReferences(list)).isEqualTo(list);
    }

    @Test
    void typeVariablesMayBeAnything() {
        assertThat(CallbackTypes.withoutReferences("<T:Ljava/lang/Object;>(Ldev/cleave/Ref<TT;>;)V"))
                .isNull();
        assertThat(CallbackTypes.withoutReferences("(TT;Ldev/cleave/Ref<TT;>;)V"))
                .isEqualTo("(TT;)V");
    }
}
