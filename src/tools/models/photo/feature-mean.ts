/**
 * The mean of 68 features of `photo/centernet-480`: whole pictures, their parts and found objects of the test
 * photographs; base 64 of little-endian 32-bit floats.
 *
 * Features of any two pictures have a cosine near 0.93, since all share this part; without it, two of a
 * kind are seen at 0.5 to 0.9 and others below 0.5 (measured on the same photographs).
 */
export const FEATURE_MEAN: string =
  'kfEQPd9PvDxfQys7+a2EPMNkjj0n+cs7J8wcPKPyZjxuyxQ8sx2hPNTuTTwg5ks8TRi2Oz91cjt4sEc8AxeuPYur9z' +
  'qZSXY82YpiPdlwMj1uTWU85gxSPf5r7TzW3WU8e0ohPawrxTwpzqI7keSLPE+xYTwpIYI+/uD3POf/qDuywZM8Pm9q' +
  'PeBhizw3T0M8iXAJPGTyFDyGpwQ8ujDUOy0mKj1YJmk8GUZ6OuKZMTs6Otk76LmOPKwb6jsoJKU98ufcPLiPxDyn16' +
  's8l3gJPfspPT0uZY08lmGiO8eBGD4pRUg7w0QDPRsdxjtM04Y9wPMKPIX80T2vEio93pirPLqkTT3oH307vmSdPMVE' +
  'ADx66YM82wmEPDfAwjt7vEg8RyaZPGZsTDxn+K47DS2qPKh/0jqO1us6knQFPeMgMD0Ag+w7wwXqOges1ztCCAs80C' +
  'wNPb0mrjty6i88FfS6PHGLpDyHjtA8+O1LPL2agTuRYSo97S7NO1sVTTzbi008VRElO8lL2j233+w6Jc+YPIIIRz7C' +
  'QBM7o7SOPXyu+DsLTb88Gr9FPLVrBz23KMY7R8pHPP2fKTy6naU8FlhUPS06Fzx61jo8o/0dPXOcKj33plw9m/77PJ' +
  '1QqjxuFmc9JSxgPP2ZQDyg6cM82xzBOy0gJj0u4Ns860OyO9W4iTxZN+U8fssIPO7iezx3nDs8NNdEO9aGBjyI1PI8' +
  'N8dpPI24jD2IXoc+GOe9O2AQEj7Ma049nv92O+/ZdjyAkM880UnfO6pv9jzGfBg+kFX+O6OMhDvcYk08Z72PPIqBFT' +
  '19C5E7COCNPah47DsxeRA8QlUnO7aNHT3vueg78i/0OxSOjzz5pGY9v6gRPMQtSj25+TY7FbRRPH7mKTxRUHU8jd4P' +
  'PRKBuDzVVRA8RWM3O6J9xTvQH448cIRKPHDg4jrkm4g9ubkGPBinvj1OphU9J+gXOz/Umjypl3Q9ITQUPU2Duztawy' +
  '88fJnQPB1L9zzs8Nk7Fk5gO2nfYj11ilc8sH2rO5IB5TtBTvg8u4qxO82dqjuNI/w7Rg67O/BbwDsx4gA9BuHGPA3s' +
  'MT2LaB89IHlePMfZPzxZ+AA8neKaO56pQjoJ0Ck76qeSO9tSpzu484A7h9IyPBqHrDz6/YQ8yE5wPMFz3j1QIiY8hm' +
  'i8PLqDcDzoedk8j3k/PIbmlD2xzz88sdoEPOR32juprKI9WN5pOzsjkzvy9Ec8W9t/PXv4nDyfUyY77kB0PpMDuzvY' +
  'JnY7z1GkPMfYbzyXBgE9zsRoPMZzATtFs+87znZiPGRjBD1nTBc9YVcqO7yK7DsNnwY9ABIePZFftT01tpc7irhnPP' +
  'Gb/jsVzco7wbDLPEEoCDzOdsM8FocMOy3SPj0eVIc8UUwZPK/CmzssASg9bRhQO9TzbTwAtdI6TcHAOwyhAD7oXpQ8' +
  'TiouPcM1AD0F1kc9LpR4O1yc1zxxZ0k86J3fPDMZbT1P32Y7WCICPa/gQT0OlaQ7p8cJO42Dizwq82k9RTzrO3MCsT' +
  'ppaN06Wmc8PP4w8TwPsjk9nZImOxcxJD3m+ng80wAVPNbjRDwAOaw7ym3+O68EDT1ejtY77TCjOs+mKzvfSKY8xAoY' +
  'Pc3Kmj2P+OY7Nj6rOmwUeDx3rls7ch6OPEtQmjur25Q+gvDyO+xcZDxCTDI8+B4TPYE+jDzaupM8jj2MO9bZSD35lI' +
  'Q9ACZKPPXBST1bHE48zH6/OkaepTz3I0M7E9p1PSYcAzwhDaw8mRHxPKkViztE8A09NHIuOpAl0jtOn+89St8TPSfj' +
  'hTwEZ/w6RjOYPDQkuzvHW8k75fQvO1kIKz1Okac7DHusO1CIpDvhJnY8G6OnO5n2PjzX1xk8TP0RPADwHjkWnA88Mi' +
  's1PNtvizuF1Ac9B35tPPsNGDzvqg88jiw7Pdjb1Dv09zg8NXwIPWU1czo0gHs7CXKnPLfgmj2+S2g8Ew/GO3jK2zsX' +
  'KBE6kUZXPCtRnTxiOtw9+8pIPH3QoDlIM149+Z7ePFdVdDyiDAA8GyAxPrbPmTylWWY9XZM2PPe8ejxGf4M7GDL/Oy' +
  'WseTuOEKg8Otq+OTC5WjrqSmY78f4XPWkieDy1YxM8TNctPRJXfz2AC4c88ZThOxZUYjzb5Wo9zd5JPAi2bzzbPMY7' +
  'DvOVPNX6mjwo4A49B7n9Ozr+hDwUJVo8qPstO58pmTwvxb89LiU2PhmR1DudukA7sSUgPOSdezxKkr47fZyVPD3epz' +
  'vzhKA6eUHkO2PdXTwe4IM7GQosO7hvVjzaAg89mEXGO+J20jzNv2Y9Gj9fPHR1xjsHjSk8z+rbPJahcT3LvU07/T0k' +
  'POy+jDxrJAg9UrA0OlMYwj0aaTU8RtKaPCHFzzus9TU75GAsPstFMDxGGwg9Oot2PC0dxzsdPiY8VSqXPK5Ysjz1Ld' +
  'M7bZYzO6gwPzwuZNI7+IdePe6DNzvYpuM9MzW8PagDVDwN3k88CwyMO/mAqD2IU/071lKePQwKcz3XHwo8DmaGPPhl' +
  'ujpInw08iQKUPFjBOz02qoE8qKKHPMNyHT1xQBc8'
