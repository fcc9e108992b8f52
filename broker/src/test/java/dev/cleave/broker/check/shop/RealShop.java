package dev.cleave.broker.check.shop;

/** The implementation. */
public class RealShop implements Shop {

    @Override
    public int order(String title, int copies) {
        return copies;
    }

    @Override
    public long price(String title) {
        return title.length();
    }

    @Override
    public int copies(String title) {
        return 1;
    }

    @Override
    public void add(String title, byte[] cover, int[] pages) {}

    @Override
    public void pack(String title) {}
}
